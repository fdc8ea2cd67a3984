package bench

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
	kernels "jacquard/testdata/mesa-kernels"
)

// Workload is a kernel with the launch that is measured.
type Workload struct {
	Name   string
	Grid   [2]int
	Block  [3]int
	params []param
	code   func() (simt.Kernel, error) // nil for a kernel of testdata/mesa-kernels
}

// param is a kernel parameter: a word, or the address of a buffer with these words.
type param struct {
	value  uint32
	buffer func() []uint32 // made when it is wanted: the process would keep it
}

func word(v uint32) param            { return param{value: v} }
func float(v float32) param          { return param{value: math.Float32bits(v)} }
func buffer(w func() []uint32) param { return param{buffer: w} }
func output(words int) param         { return buffer(func() []uint32 { return make([]uint32, words) }) }
func (w *Workload) source() string   { return w.Name + "/sm_13.cubin" }

// spaceBytes is the device memory a workload has: that of a GTX 280.
const spaceBytes = 1 << 30

// Prepare loads the kernel for the host's vector instructions that simd names as in simt.Kernel,
// fills its buffers and returns the launch.
func (w *Workload) Prepare(simd string) (*Bench, error) {
	load := w.code
	if load == nil {
		load = w.compiled
	}
	k, err := load()
	if err != nil {
		return nil, err
	}
	k.SIMD = simd
	program, err := simt.Lower(k)
	if err != nil {
		return nil, err
	}
	b := &Bench{launch: simt.Launch{Program: program, Workers: 1, Grid: w.Grid, Block: w.Block, Global: mem.NewSpace(spaceBytes), Pool: new(simt.Pool)}}
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

// compiled loads a kernel of testdata/mesa-kernels.
func (w *Workload) compiled() (simt.Kernel, error) {
	data, err := kernels.SM13.ReadFile(w.source())
	if err != nil {
		return simt.Kernel{}, err
	}
	img, err := cubin.Parse(data)
	if err != nil {
		return simt.Kernel{}, fmt.Errorf("%s: %w", w.source(), err)
	}
	k := img.Kernel(w.Name)
	if k == nil {
		return simt.Kernel{}, fmt.Errorf("%s holds no kernel %s", w.source(), w.Name)
	}
	return load.Kernel(tesla.SM13, k), nil
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

// bytesOf returns words as memory holds them.
func bytesOf(words []uint32) []byte {
	data := make([]byte, 0, 4*len(words))
	for _, v := range words {
		data = binary.LittleEndian.AppendUint32(data, v)
	}
	return data
}

// random makes n words below limit, always the same.
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

// randomFloats makes n numbers from -limit to limit, always the same.
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
