package fatbinary_test

import (
	"fmt"
	"os"
	"path/filepath"

	"jacquard/cubin"
	"jacquard/toolkit/fatbinary"
)

func ExampleRun() {
	dir, err := os.MkdirTemp("", "fatbinary")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ptx, out := filepath.Join(dir, "k.ptx"), filepath.Join(dir, "k.fatbin")
	if err := os.WriteFile(ptx, []byte(".version 6.3\n.target sm_20\n"), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	if err := fatbinary.Run([]string{"-64", "--create", out, "--image=profile=compute_20,file=" + ptx}, os.Stdout); err != nil {
		fmt.Println(err)
		return
	}
	data, err := os.ReadFile(out)
	if err != nil {
		fmt.Println(err)
		return
	}
	contents, err := cubin.Read(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(contents.Container, "with PTX for", contents.Entries[0].Target())
	// Output: fat binary with PTX for compute_20
}
