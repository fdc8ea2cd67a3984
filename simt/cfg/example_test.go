package cfg_test

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/simt/cfg"
	"jacquard/tesla"
)

// A loop that lanes leave by a guarded break.
func ExampleNew() {
	code := []uint32{
		0x40004003, 0x00000000, // 00: breakaddr 0x20
		0x20018001, 0x00000003, // 08: add b32 $r0 $r0 0x1
		0x50000003, 0x00000280, // 10: (lg $c0) break
		0x10001003, 0x00000780, // 18: bra 0x8
		0xf0000001, 0xe0000001, // 20: exit (never) nop
	}
	g, err := cfg.New(decoder.Kernel(tesla.SM10, code))
	if err != nil {
		fmt.Println(err)
		return
	}
	f := g.Functions[0]
	for b, block := range f.Blocks {
		fmt.Printf("%02x", block.Start)
		for _, e := range block.Succ {
			fmt.Printf(" %s %d", e.Kind, e.To)
		}
		fmt.Printf(", immediate post-dominator %d\n", f.IPostDom[b])
	}
	fmt.Println("the loop:", f.Body(0))
	// Output:
	// 00 fall through 1, immediate post-dominator 1
	// 08 fall through 2 break 3, immediate post-dominator 3
	// 18 taken 1, immediate post-dominator 1
	// 20 exit -1, immediate post-dominator -1
	// the loop: [1 2]
}
