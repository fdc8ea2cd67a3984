package bench_test

import (
	"fmt"

	"jacquard/study/bench"
)

func ExampleWorkloads() {
	for _, w := range bench.Workloads() {
		fmt.Println(w.Name, w.Grid, w.Block)
	}
	// Output:
	// vecadd [16384 1] [64 1 1]
	// saxpy [16384 1] [64 1 1]
	// matmul [16 16] [8 8 1]
	// mandelbrot [16 16] [16 8 1]
	// nested [512 1] [64 1 1]
	// collatz [512 1] [64 1 1]
	// transpose [64 64] [16 16 1]
	// xorshift [1024 1] [32 1 1]
	// crc32 [1024 1] [32 1 1]
	// i64mix [1024 1] [32 1 1]
	// sfumix [1024 1] [32 1 1]
	// nbody [256 1] [64 1 1]
	// histogram [88 1] [192 1 1]
	// bitonic [64 1] [256 1 1]
	// bisection [16 1] [128 1 1]
	// textureconv [32 16] [16 16 1]
	// intervals [64 1] [64 1 1]
	// wide [64 1] [256 1 1]
	// misaligned [64 1] [256 1 1]
	// launches [1 1] [64 1 1]
}
