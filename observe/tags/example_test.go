package tags_test

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/observe/tags"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// A thread's index rises by one from lane to lane, and four times the index by four; a constant is
// the same in all lanes.
func Example() {
	k := simt.Kernel{Name: "k", Arch: tesla.SM13, Registers: 3, Shared: 16, Code: decoder.Kernel(tesla.SM13, []uint32{
		0x10018005, 0x00000003, // mov b32 $r1 0x1
		0x30020009, 0xc4100780, // shl b32 $r2 $r0 0x2
		0xf0000001, 0xe0000001, // exit
	})}
	p, err := simt.Lower(k)
	if err != nil {
		fmt.Println(err)
		return
	}
	l := &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Global: mem.NewSpace(1 << 16)}
	r := tags.Attach(l)
	s, err := simt.Run(l)
	if err != nil {
		fmt.Println(err)
		return
	}
	r.Count(s)
	for i := range s.ByInstruction {
		n := s.ByInstruction[i].Operands
		fmt.Printf("read %d (%d affine), written %d (%d uniform, %d affine)\n", n.Reads, n.ReadsAffine, n.Writes, n.WritesUniform, n.WritesAffine)
	}
	// Output:
	// read 0 (0 affine), written 1 (1 uniform, 0 affine)
	// read 1 (1 affine), written 1 (0 uniform, 1 affine)
	// read 0 (0 affine), written 0 (0 uniform, 0 affine)
}
