package assemble_test

import (
	"fmt"

	"jacquard/cmd/jacquard/internal/assemble"
	"jacquard/decoder"
	"jacquard/tesla"
)

func Example() {
	k := assemble.Code{Arch: tesla.SM10}
	k.Add(assemble.Mov(1, assemble.Param(0)))
	k.Add(assemble.With(tesla.OpIAdd, 1, 1, 16))
	k.End()
	for i := 0; i < len(k.Words); i += 2 {
		in := decoder.Decode(tesla.SM10, k.Words[i], k.Words[i+1])
		fmt.Println(in.String())
	}
	fmt.Println(k.Here(), k.Err)
	// Output:
	// mov b32 $r1 b32 s[0x10]
	// add b32 $r1 $r1 0x10
	// exit nop
	// 24 <nil>
}
