package bench

// threads is how many threads the one-dimensional workloads have: as many as 256 blocks
// of 128. The kernels' own block sizes are folded into their code.
const threads = 256 * 128

// many is how many threads those have that do little but access memory: what they access does not
// fit a core's own cache, and a launch takes milliseconds.
const many = 32 * threads

// Workloads lists what is measured.
func Workloads() []Workload {
	const n = 128         // matmul: rows and columns
	const w, h = 256, 128 // mandelbrot
	const side = 1024     // transpose
	const crcBytes = 16   // a thread
	const bodies, nbodyTiles = 16384, 4
	return []Workload{
		{"vecadd", [2]int{many / 64, 1}, [3]int{64, 1, 1}, []param{
			buffer(randomFloats(many, 100)), buffer(randomFloats(many, 100)), output(many), word(many),
		}, nil},
		{"saxpy", [2]int{many / 64, 1}, [3]int{64, 1, 1}, []param{
			buffer(randomFloats(many, 100)), buffer(randomFloats(many, 100)), float(1.5), word(many),
		}, nil},
		{"matmul", [2]int{n / 8, n / 8}, [3]int{8, 8, 1}, []param{
			buffer(randomFloats(n*n, 1)), buffer(randomFloats(n*n, 1)), output(n * n), word(n),
		}, nil},
		{"mandelbrot", [2]int{w / 16, h / 8}, [3]int{16, 8, 1}, []param{
			output(w * h), word(w), word(h), word(256), float(-2), float(-1.25), float(3.0 / w), float(2.5 / h),
		}, nil},
		{"nested", [2]int{threads / 64, 1}, [3]int{64, 1, 1}, []param{
			buffer(random(threads, 1<<16)), output(threads), word(threads),
		}, nil},
		{"collatz", [2]int{threads / 64, 1}, [3]int{64, 1, 1}, []param{
			buffer(random(threads, 1<<16)), output(threads), word(threads),
		}, nil},
		{"transpose", [2]int{side / 16, side / 16}, [3]int{16, 16, 1}, []param{
			buffer(random(side*side, 1<<31)), output(side * side), word(side), word(side),
		}, nil},
		{"xorshift", [2]int{threads / 32, 1}, [3]int{32, 1, 1}, []param{
			buffer(random(threads, 1<<31)), output(threads), word(threads),
		}, nil},
		{"crc32", [2]int{threads / 32, 1}, [3]int{32, 1, 1}, []param{
			buffer(random(threads*crcBytes/4, 1<<31)), output(threads), word(crcBytes),
		}, nil},
		{"i64mix", [2]int{threads / 32, 1}, [3]int{32, 1, 1}, []param{
			buffer(random(2*threads, 1<<31)), buffer(random(2*threads, 1<<31)), output(14 * threads), word(threads),
		}, nil},
		{"sfumix", [2]int{threads / 32, 1}, [3]int{32, 1, 1}, []param{
			buffer(randomFloats(threads, 10)), output(8 * threads), word(threads),
		}, nil},
		{"nbody", [2]int{bodies / nbodyThreads, 1}, [3]int{nbodyThreads, 1, 1}, []param{
			buffer(randomFloats(4*nbodyThreads*nbodyTiles, 1)), buffer(randomFloats(4*bodies, 1)), output(4 * bodies), word(nbodyTiles),
		}, nbody},
	}
}
