package trace_test

import (
	"fmt"
	"os"
	"path/filepath"

	"jacquard/decoder"
	"jacquard/observe/trace"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// A launch is recorded with all its values and printed.
func Example() {
	words := []uint32{
		0x10018005, 0x00000003, // mov b32 $r1 0x1
		0x20000409, 0x04008780, // add b32 $r2 $r2 $r2
		0xf0000001, 0xe0000001, // exit
	}
	program, err := simt.Lower(simt.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 4, Shared: 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	path := filepath.Join(os.TempDir(), fmt.Sprintf("jacquard-example-%d.jqt", os.Getpid()))
	defer os.Remove(path)
	recorder, err := trace.Create(path, trace.Options{Values: trace.Values{Registers: true}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	launch := &simt.Launch{Program: program, Grid: [2]int{1, 1}, Block: [3]int{40, 1, 1}, Global: mem.NewSpace(1 << 20)}
	end := recorder.Attach(launch, "", 0)
	_, err = simt.Run(launch)
	end(err)
	if err := recorder.Close(); err != nil {
		fmt.Println(err)
		return
	}

	file, err := trace.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for step, err := range file.Steps(&trace.Filter{Warps: []trace.Range{{First: 1, Last: 1}}}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		kernel := file.Launch(step.Launch).Kernel
		fmt.Printf("%d %02x %02x %v", step.Time, kernel.PCs[step.Index], step.Active[0], kernel.Code[step.Index])
		for _, v := range step.Values {
			fmt.Printf("  %s=%x", v.Name(), v.Row[0])
		}
		fmt.Println()
	}
	// Output:
	// 0 00 ff mov b32 $r1 0x1  $r1=1
	// 1 08 ff add b32 $r2 $r2 $r2  $r2=0
	// 2 10 ff exit (never) nop
}
