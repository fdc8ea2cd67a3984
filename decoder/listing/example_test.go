package listing_test

import (
	"fmt"
	"os"

	"jacquard/decoder/listing"
	"jacquard/tesla"
)

func ExampleWrite() {
	code := []uint32{0x10008a08, 0x10008a0c, 0x10000003, 0x00000780}
	if err := listing.Write(os.Stdout, tesla.SM10, code, tesla.Instruction.String); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 00000000: 10008a08            B mov b32 $r2 $r5
	// 00000004: 10008a0c              mov b32 $r3 $r5
	// 00000008: 10000003 00000780     bra 0x0
}
