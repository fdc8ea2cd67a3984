package ptxas_test

import (
	"fmt"
	"os"
	"path/filepath"

	"jacquard/toolkit/ptxas"
)

func ExampleRun() {
	dir, err := os.MkdirTemp("", "ptxas")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	text := `.version 6.3
.target sm_20
.address_size 64
.visible .entry store(.param .u64 out) {
	.reg .b64 %rd1;
	ld.param.u64 %rd1, [out];
	st.global.u32 [%rd1], 7;
	ret;
}
`
	in, out := filepath.Join(dir, "store.ptx"), filepath.Join(dir, "store.cubin")
	if err := os.WriteFile(in, []byte(text), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ptxas.Run([]string{"-v", "--gpu-name", "sm_13", "--output-file", out, in}, os.Stdout, os.Stdout))
	// Output:
	// ptxas info    : Compiling entry function 'store' for 'sm_13'
	// ptxas info    : Used 2 registers, 8+16 bytes smem
	// <nil>
}
