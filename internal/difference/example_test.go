package difference_test

import (
	"fmt"

	"jacquard/internal/difference"
)

func ExampleFind() {
	got := []byte{0, 0, 0x80, 0x3f, 1, 0, 0, 0x40}
	want := []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}
	d := difference.Find(got, want)
	fmt.Printf("byte %d: %s\n", d.Offset, d)
	// Output:
	// byte 4: 0x40000001, want 0x40000000 (2.0000002, want 2: 1 ulp); 1 of 2 words differ
}
