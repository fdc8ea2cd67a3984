package cuobjdump_test

import (
	"fmt"
	"os"
	"path/filepath"

	"jacquard/cubin"
	"jacquard/toolkit/cuobjdump"
)

func ExampleRun() {
	dir, err := os.MkdirTemp("", "cuobjdump")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	container, err := cubin.FormatFatBinary([]cubin.Entry{cubin.PTXEntry([]byte(".version 6.3\n.target sm_20\n"))})
	if err != nil {
		fmt.Println(err)
		return
	}
	file := filepath.Join(dir, "k.fatbin")
	if err := os.WriteFile(file, container, 0o666); err != nil {
		fmt.Println(err)
		return
	}
	if err := cuobjdump.Run([]string{"-lptx", file}, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output: PTX file    1: k.1.sm_20.ptx
}
