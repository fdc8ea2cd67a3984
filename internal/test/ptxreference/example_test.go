package ptxreference_test

import (
	"encoding/binary"
	"fmt"

	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
)

const square = `
.version 1.4
.target sm_10
.entry square(.param .u32 words)
{
	.reg .u32 %r<4>;
	cvt.u32.u16 %r0, %tid.x;
	mul.lo.u32 %r1, %r0, %r0;
	ld.param.u32 %r2, [words];
	mad.lo.u32 %r3, %r0, 4, %r2;
	st.global.u32 [%r3], %r1;
	exit;
}
`

// A kernel stores the squares of its threads' numbers.
func Example() {
	m, err := ptx.Parse("square.ptx", []byte(square))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := ptxreference.Load(m, ptxreference.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	address, words, err := p.Memory().Alloc(4 * 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	params := binary.LittleEndian.AppendUint32(nil, uint32(address))
	err = p.Run("square", ptxreference.Launch{Block: [3]int{4}, Params: params})
	fmt.Println(words, err)
	// Output: [0 0 0 0 1 0 0 0 4 0 0 0 9 0 0 0] <nil>
}
