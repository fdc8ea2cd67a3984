package view_test

import (
	"bytes"
	"fmt"
	"os"

	"jacquard/decoder"
	"jacquard/observe/trace"
	"jacquard/observe/trace/view"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

func ExampleShow() {
	words := []uint32{
		0x10018005, 0x00000003, // mov b32 $r1 0x1
		0x20000009, 0x04004780, // add b32 $r2 $r0 $r1
		0xf0000001, 0xe0000001, // exit
	}
	program, err := simt.Lower(simt.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 4, Shared: 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	recorder, err := trace.NewRecorder(&out, trace.Options{Values: trace.Values{Registers: true}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	launch := &simt.Launch{Program: program, Grid: [2]int{1, 1}, Block: [3]int{40, 1, 1}, Policy: "nvidia", Global: mem.NewSpace(1 << 20)}
	end := recorder.Attach(launch, "", 0)
	_, err = simt.Run(launch)
	end(err)
	if err := recorder.Close(); err != nil {
		fmt.Println(err)
		return
	}
	file, err := trace.NewFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	if err := view.Show(os.Stdout, file, &trace.Filter{Warps: []trace.Range{{First: 1, Last: 1}}}, true); err != nil {
		fmt.Println(err)
	}
	// Output:
	// launch 0: k (sm_13), grid 1x1, block 40x1x1, policy nvidia
	// block 0 (0,0)
	//        0 w1  0000 000000ff  mov b32 $r1 0x1
	//                          $r1 = 1
	//        1 w1  0008 000000ff  add b32 $r2 $r0 $r1
	//                          $r2 = 21 +1 a lane
	//        2 w1  0010 000000ff  exit (never) nop
}
