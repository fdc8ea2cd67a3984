package decoder_test

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/tesla"
)

func ExampleKernel() {
	code := []uint32{
		0xa0000001, 0x04000780,
		0x41002c08, 0x10008004,
		0xd00e0005, 0xa0c00781,
	}
	address := 0
	for _, in := range decoder.Kernel(tesla.SM10, code) {
		fmt.Printf("%02x  %s\n", address, in)
		address += int(in.Size)
	}
	// Output:
	// 00  cvt u32 $r0 u16 $r0l
	// 08  mul $r2 u16 u16 s[0xc] u16 $r0l
	// 0c  mov b32 $r1 $r0
	// 10  exit st b32 g14[$r0] $r1
}

func ExampleEncode() {
	in := decoder.Decode(tesla.SM10, 0x10008004, 0) // mov b32 $r1 $r0
	in.Dst.Index = 100                              // too large for a short instruction
	in.Size = 0
	w0, w1, err := decoder.Encode(tesla.SM10, in)
	fmt.Printf("%08x %08x %v\n", w0, w1, err)
	fmt.Println(decoder.Decode(tesla.SM10, w0, w1))
	// Output:
	// 10000191 0403c780 <nil>
	// mov b32 $r100 $r0
}
