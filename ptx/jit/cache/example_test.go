package cache_test

import (
	"fmt"

	"jacquard/ptx/jit/cache"
)

// The settings of a program whose environment names a folder and a size.
func ExampleFrom() {
	environment := map[string]string{"CUDA_CACHE_PATH": "/tmp/kernels", "CUDA_CACHE_MAXSIZE": "1000000"}
	s := cache.From(func(name string) (string, bool) {
		value, ok := environment[name]
		return value, ok
	})
	fmt.Println(s.Dir, s.MaxBytes)
	// Output: /tmp/kernels/jacquard-ptx 1000000
}
