package x86_test

import (
	"fmt"

	"jacquard/simt/engine/translate/x86"
)

// A loop that adds one to 32 integers, 16 at a time.
func ExampleAssembler() {
	a := x86.New(true)
	one := a.Const([]byte{1, 0, 0, 0}, 4)
	a.Mov(32, x86.R(x86.RCX), x86.Imm(2))
	loop := a.NewLabel()
	a.Bind(loop)
	a.V(x86.Ins{Op: x86.VMOVDQU32, L: x86.Z, D: 0, RM: x86.At(x86.RDI, 0)})
	a.V(x86.Ins{Op: x86.VPADDD, L: x86.Z, D: 0, S: 0, RM: one.Bcst()})
	a.V(x86.Ins{Op: x86.VMOVDQU32Store, L: x86.Z, D: 0, RM: x86.At(x86.RDI, 0)})
	a.Add(64, x86.R(x86.RDI), x86.Imm(64))
	a.Dec(32, x86.R(x86.RCX))
	a.Jcc(x86.NE, loop)
	a.Ret()
	fmt.Printf("%x\n", a.Finish())
	// Output:
	// b90200000062f17e486f0762f17d58fe050f00000062f17e487f074883c740ffc975e2c301000000
}
