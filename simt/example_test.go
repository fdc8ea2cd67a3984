package simt_test

import (
	"fmt"
	"math/bits"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// mix counts thread instructions by operation: a counter of one's own.
type mix map[tesla.Op]int

func (m mix) Block(*simt.Block) simt.BlockObserver { return m }
func (m mix) End()                                 {}

func (m mix) Issue(i *simt.Issue) {
	for w := range i.Warps() {
		m[i.Instruction.Op] += bits.OnesCount32(uint32(w.Executed))
	}
}

func ExampleObserver() {
	words := []uint32{
		0x10018005, 0x00000003, // mov b32 $r1 0x1
		0x300001fd, 0x6c0107c8, // set $c0 # g s32 $r0 $r0: never
		0x20000409, 0x04008780, // add b32 $r2 $r2 $r2
		0x20000409, 0x04008780, // again
		0xf0000001, 0xe0000001, // exit
	}
	program, err := simt.Lower(simt.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 4, Shared: 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := mix{}
	if _, err := simt.Run(&simt.Launch{
		Program: program, Grid: [2]int{2, 1}, Block: [3]int{48, 1, 1}, Global: mem.NewSpace(1 << 20), Observer: counts,
	}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(counts[tesla.OpMov], counts[tesla.OpISet], counts[tesla.OpIAdd])
	// Output: 96 96 192
}
