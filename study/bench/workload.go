package bench

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"jacquard/cubin"
	"jacquard/ptx/compile"
	ptx "jacquard/ptx/load"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/tesla"
)

// Workload is a kernel with the launch to measure.
type Workload struct {
	Name   string
	Grid   [2]int
	Block  [3]int
	params []param
	code   func() (simt.Kernel, error) // written by hand; nil for a kernel of a file

	small    bool // a program in small: its PTX is in kernels, and it has no rival in C
	textures func() []texture.Texture
	launches int // of a measurement, one after the other; 0 is one
}

// param is a kernel parameter: a word, or the address of a buffer with these words.
type param struct {
	value  uint32
	buffer func() []uint32 // called late: the process would keep the words
}

func word(v uint32) param            { return param{value: v} }
func float(v float32) param          { return param{value: math.Float32bits(v)} }
func buffer(w func() []uint32) param { return param{buffer: w} }
func output(words int) param         { return buffer(func() []uint32 { return make([]uint32, words) }) }

// spaceBytes is the device memory of a workload: as in a GTX 280.
const spaceBytes = 1 << 30

// Prepare loads the kernel, fills its buffers and returns the launch. The host computes as h says.
func (w *Workload) Prepare(h simt.Host) (*Bench, error) {
	b := &Bench{
		launch:   simt.Launch{Workers: 1, Grid: w.Grid, Block: w.Block, Global: mem.NewSpace(spaceBytes), Pool: new(simt.Pool)},
		launches: max(w.launches, 1),
	}
	k, err := w.load(&b.launch.Const)
	if err != nil {
		return nil, err
	}
	k.Host = h
	if b.launch.Program, err = simt.Lower(k); err != nil {
		return nil, err
	}
	if w.textures != nil {
		b.launch.Textures = w.textures()
	}
	for _, p := range w.params {
		v := p.value
		if p.buffer != nil {
			if v, err = b.place(p.buffer()); err != nil {
				return nil, err
			}
		}
		b.launch.Params = binary.LittleEndian.AppendUint32(b.launch.Params, v)
	}
	return b, nil
}

// load returns the kernel and fills its constant banks.
func (w *Workload) load(banks *[16][]byte) (simt.Kernel, error) {
	if w.code != nil {
		return w.code()
	}
	img, err := w.image()
	if err != nil {
		return simt.Kernel{}, fmt.Errorf("%s: %w", w.source(), err)
	}
	k := img.Kernel(w.Name)
	if k == nil {
		return simt.Kernel{}, fmt.Errorf("%s holds no kernel %s", w.source(), w.Name)
	}
	load.Fill(banks, k.Segments)
	load.Constants(banks, img)
	return load.Kernel(tesla.SM13, k), nil
}

// source is the file of the kernel.
func (w *Workload) source() string {
	if w.small {
		return "kernels/" + w.Name + ".ptx"
	}
	return "kernels/" + w.Name + ".cubin"
}

// image reads the file of the kernel, and compiles PTX.
func (w *Workload) image() (*cubin.Image, error) {
	data, err := kernels.ReadFile(w.source())
	if err != nil {
		return nil, err
	}
	if !w.small {
		return cubin.Parse(data)
	}
	return ptx.Compile(w.source(), data, compile.Options{Arch: tesla.SM13})
}

// place copies words into device memory and returns their address.
func (b *Bench) place(words []uint32) (uint32, error) {
	size := uint64(4 * len(words))
	addr, err := b.launch.Global.Alloc(size)
	if err != nil {
		return 0, err
	}
	data, err := b.launch.Global.Bytes(addr, size)
	if err != nil {
		return 0, err
	}
	copy(data, bytesOf(words))
	b.buffers = append(b.buffers, data)
	return addr, nil
}

// bytesOf returns words in the byte order of memory.
func bytesOf(words []uint32) []byte {
	data := make([]byte, 0, 4*len(words))
	for _, v := range words {
		data = binary.LittleEndian.AppendUint32(data, v)
	}
	return data
}

// random returns a function that makes n random words below limit, the same every time.
func random(n int, limit uint32) func() []uint32 {
	return func() []uint32 {
		r := rand.New(rand.NewPCG(1, 2))
		w := make([]uint32, n)
		for i := range w {
			w[i] = r.Uint32N(limit)
		}
		return w
	}
}

// randomFloats returns a function that makes n numbers from -limit to limit, the same every time.
func randomFloats(n int, limit float32) func() []uint32 {
	return func() []uint32 {
		r := rand.New(rand.NewPCG(3, 4))
		w := make([]uint32, n)
		for i := range w {
			w[i] = math.Float32bits((2*r.Float32() - 1) * limit)
		}
		return w
	}
}

// threads is the number of threads of the one-dimensional workloads: as many as 256 blocks of 128.
// The code of a kernel contains its own block size.
const threads = 256 * 128

// many is the number of threads of workloads that mostly access memory: their data exceed a core's
// own cache, and a launch takes milliseconds.
const many = 32 * threads

// Workloads lists the kernels to measure.
func Workloads() []Workload { return append(kernelWorkloads(), smallWorkloads()...) }

// kernelWorkloads lists the workloads whose algorithms are in C, too.
func kernelWorkloads() []Workload {
	const n = 128         // matmul: rows and columns
	const w, h = 256, 128 // mandelbrot
	const side = 1024     // transpose
	const crcBytes = 16   // per thread
	const bodies, nbodyTiles = 16384, 4
	return []Workload{
		{Name: "vecadd", Grid: [2]int{many / 64, 1}, Block: [3]int{64, 1, 1}, params: []param{
			buffer(randomFloats(many, 100)), buffer(randomFloats(many, 100)), output(many), word(many),
		}},
		{Name: "saxpy", Grid: [2]int{many / 64, 1}, Block: [3]int{64, 1, 1}, params: []param{
			buffer(randomFloats(many, 100)), buffer(randomFloats(many, 100)), float(1.5), word(many),
		}},
		{Name: "matmul", Grid: [2]int{n / 8, n / 8}, Block: [3]int{8, 8, 1}, params: []param{
			buffer(randomFloats(n*n, 1)), buffer(randomFloats(n*n, 1)), output(n * n), word(n),
		}},
		{Name: "mandelbrot", Grid: [2]int{w / 16, h / 8}, Block: [3]int{16, 8, 1}, params: []param{
			output(w * h), word(w), word(h), word(256), float(-2), float(-1.25), float(3.0 / w), float(2.5 / h),
		}},
		{Name: "nested", Grid: [2]int{threads / 64, 1}, Block: [3]int{64, 1, 1}, params: []param{
			buffer(random(threads, 1<<16)), output(threads), word(threads),
		}},
		{Name: "collatz", Grid: [2]int{threads / 64, 1}, Block: [3]int{64, 1, 1}, params: []param{
			buffer(random(threads, 1<<16)), output(threads), word(threads),
		}},
		{Name: "transpose", Grid: [2]int{side / 16, side / 16}, Block: [3]int{16, 16, 1}, params: []param{
			buffer(random(side*side, 1<<31)), output(side * side), word(side), word(side),
		}},
		{Name: "xorshift", Grid: [2]int{threads / 32, 1}, Block: [3]int{32, 1, 1}, params: []param{
			buffer(random(threads, 1<<31)), output(threads), word(threads),
		}},
		{Name: "crc32", Grid: [2]int{threads / 32, 1}, Block: [3]int{32, 1, 1}, params: []param{
			buffer(random(threads*crcBytes/4, 1<<31)), output(threads), word(crcBytes),
		}},
		{Name: "i64mix", Grid: [2]int{threads / 32, 1}, Block: [3]int{32, 1, 1}, params: []param{
			buffer(random(2*threads, 1<<31)), buffer(random(2*threads, 1<<31)), output(14 * threads), word(threads),
		}},
		{Name: "sfumix", Grid: [2]int{threads / 32, 1}, Block: [3]int{32, 1, 1}, params: []param{
			buffer(randomFloats(threads, 10)), output(8 * threads), word(threads),
		}},
		{Name: "nbody", Grid: [2]int{bodies / nbodyThreads, 1}, Block: [3]int{nbodyThreads, 1, 1}, params: []param{
			buffer(randomFloats(4*nbodyThreads*nbodyTiles, 1)), buffer(randomFloats(4*bodies, 1)), output(4 * bodies), word(nbodyTiles),
		}, code: nbody},
	}
}
