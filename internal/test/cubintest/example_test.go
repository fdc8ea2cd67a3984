package cubintest_test

import (
	"fmt"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/tesla"
)

func Example() {
	img := &cubin.Image{Arch: tesla.SM11, Kernels: []cubin.Kernel{{Name: "nothing", Shared: 16, Code: []uint32{0xf0000001, 0xe0000001}}}}
	memory := &cubintest.Memory{Word: 8}
	address := memory.Wrapper(cubintest.Flat(cubintest.CUDA4,
		cubintest.Entry{Container: cubin.PTX, Arch: 11, Data: []byte(".version 1.4")},
		cubintest.Entry{Container: cubin.ELF, Arch: 11, Data: cubintest.ELF{Wide: true}.Write(img)}))

	contents, err := cubin.Open(memory.Cubin(), address)
	if err != nil {
		fmt.Println(err)
		return
	}
	entry, err := contents.Select(tesla.SM13)
	fmt.Println(len(contents.Entries), entry.Container, entry.Target(), err)
	// Output: 2 ELF cubin sm_11 <nil>
}
