package host_test

import (
	"fmt"

	"jacquard/simt/engine/translate/host"
)

func ExampleFind() {
	fmt.Println(host.Find(host.Off))
	_, err := host.Find("sse2")
	fmt.Println(err)
	// Output:
	// off <nil>
	// unknown SIMD setting "sse2": want off, avx2 or avx512
}
