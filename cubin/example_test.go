package cubin_test

import (
	"errors"
	"fmt"

	"jacquard/cubin"
)

func ExampleParse() {
	img, err := cubin.Parse([]byte(`
		architecture {sm_10}
		code {
			name = nothing
			smem = 16
			reg = 1
			bincode { 0xf0000001 0xe0000001 }
		}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	k := img.Kernel("nothing")
	fmt.Println(img.Arch, k.Name, k.Registers, k.Shared, len(k.Code))
	// Output: sm_10 nothing 1 16 2
}

func ExampleParse_withoutCode() {
	_, err := cubin.Parse([]byte(".version 1.4\n.target sm_10"))
	var none *cubin.NoCodeError
	fmt.Println(errors.As(err, &none), err)
	// Output: true no machine code for sm_13 or an earlier architecture: found only PTX for compute_10
}
