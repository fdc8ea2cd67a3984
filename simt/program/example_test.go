package program_test

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/simt/program"
	"jacquard/tesla"
)

func ExampleLower() {
	words := []uint32{
		0x10018005, 0x00000003, // mov b32 $r1 0x1
		0x20000409, 0x04008780, // add b32 $r2 $r2 $r2
		0xf0000001, 0xe0000001, // exit
	}
	p, err := program.Lower(program.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, u := range p.Code {
		fmt.Printf("0x%02x: control %v, straight code to %d\n", u.PC, u.Control, u.End)
	}
	fmt.Println("writes", p.Effects(1).Registers)
	// Output:
	// 0x00: control false, straight code to 2
	// 0x08: control false, straight code to 2
	// 0x10: control true, straight code to 2
	// 0x18: control true, straight code to 3
	// writes [2]
}
