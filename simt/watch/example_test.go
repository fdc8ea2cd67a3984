package watch_test

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// printer prints the blocks that it is asked about, and their issues.
type printer struct{ name string }

func (p printer) Block(b *watch.Block) watch.BlockObserver {
	fmt.Printf("%s: block %d of %s\n", p.name, b.Number(), b.Program().Kernel.Name)
	return p
}

func (p printer) Issue(i *watch.Issue) { fmt.Printf("%s: %s\n", p.name, i.Instruction) }

func (p printer) End() {}

func ExampleTee() {
	words := []uint32{
		0x10018005, 0x00000003, // mov b32 $r1 0x1
		0xf0000001, 0xe0000781, // exit
	}
	p, err := simt.Lower(simt.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = simt.Run(&simt.Launch{
		Program: p, Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Global: mem.NewSpace(0),
		Observer: watch.Tee(printer{"first"}, nil, printer{"second"}),
	})
	fmt.Println(err)
	// Output:
	// first: block 0 of k
	// second: block 0 of k
	// first: mov b32 $r1 0x1
	// second: mov b32 $r1 0x1
	// first: exit nop
	// second: exit nop
	// <nil>
}
