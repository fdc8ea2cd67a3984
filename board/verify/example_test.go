package verify_test

import (
	"fmt"
	"strings"

	"jacquard/board/verify"
)

func ExampleRead() {
	const rows = `op,mods,a,b,c,cc_in,r,cc_out,r2
add,b32,ffffffff,00000001,,,00000000,5,
fmul,rz,3f800001,3f800001,,,3f800003,0,
`
	r, err := verify.Read(strings.NewReader(rows), verify.Options{Scalar: true, Keep: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Passed, "passed,", r.Failed, "failed")
	for _, f := range r.Failures {
		fmt.Printf("line %d: %s: got %s, want %s\n", f.Row.Line, &f.Row, f.Got, f.Row.Want)
	}
	// Output:
	// 1 passed, 1 failed
	// line 3: fmul rz 3f800001 3f800001: got 3f800002 flags 0, want 3f800003 flags 0
}
