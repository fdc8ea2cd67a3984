package kernels

import (
	"encoding/binary"
	"fmt"
	"math"

	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
	kernels "jacquard/testdata/mesa-kernels"
)

// A kernel of testdata/mesa-kernels adds two vectors of 64 floats.
func Example() {
	const n = 64
	data, err := kernels.SM13.ReadFile("vecadd/sm_13.cubin")
	if err != nil {
		fmt.Println(err)
		return
	}
	img, err := cubin.Parse(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := load.Program(tesla.SM13, img.Kernel("vecadd"), simt.Host{})
	if err != nil {
		fmt.Println(err)
		return
	}
	l := &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{n, 1, 1}, Global: mem.NewSpace(1 << 20)}
	var sum []byte
	for range 3 { // the terms, then their sum
		at, _ := l.Global.Alloc(4 * n)
		sum, _ = l.Global.Bytes(at, 4*n)
		for i := range n {
			binary.LittleEndian.PutUint32(sum[4*i:], math.Float32bits(float32(i)))
		}
		l.Params = binary.LittleEndian.AppendUint32(l.Params, at)
	}
	l.Params = binary.LittleEndian.AppendUint32(l.Params, n)
	stats, err := simt.Run(l)
	element := math.Float32frombits(binary.LittleEndian.Uint32(sum[4*40:]))
	fmt.Println(element, stats.WarpInstructions > 0, err)
	// Output: 80 true <nil>
}
