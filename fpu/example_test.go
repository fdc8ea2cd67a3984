package fpu_test

import (
	"fmt"
	"math"

	"jacquard/fpu"
)

// Words in, words out: the multiply-add cuts its product unless the addend is zero.
func Example() {
	a, b := math.Float32bits(1.0000001), math.Float32bits(1.75)
	fmt.Printf("%08x\n", fpu.Mul(a, b, fpu.RN))
	fmt.Printf("%08x\n", fpu.Mad(a, b, 0))
	fmt.Printf("%08x\n", fpu.Mad(a, b, math.Float32bits(1e-30)))

	c := fpu.Conversion{To: fpu.U8W, From: fpu.F32, Round: fpu.RN}
	r, flags := c.Do(uint64(math.Float32bits(300.5)))
	fmt.Println(c, r, flags)
	// Output:
	// 3fe00002
	// 3fe00002
	// 3fe00001
	// u8w f32 rn 255 0
}
