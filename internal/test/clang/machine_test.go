package clang

import (
	"encoding/binary"

	"jacquard/cubin"
	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
)

// parameters are (in, out, n) of a kernel with addresses of 64 bits. Bytes follow that a structure
// of the three has at its end.
func parameters(in, out uint64, n int) (b []byte) {
	b = binary.LittleEndian.AppendUint64(nil, in)
	b = binary.LittleEndian.AppendUint64(b, out)
	return binary.LittleEndian.AppendUint64(b, uint64(n))
}

// interpret runs a kernel in the reference and returns the words that it stores.
func interpret(m *ptx.Module, k *kernel, n int) ([]uint32, error) {
	p, err := ptxreference.Load(m, ptxreference.Config{})
	if err != nil {
		return nil, err
	}
	in, inBytes, err := p.Memory().Alloc(4 * n * k.in)
	if err != nil {
		return nil, err
	}
	out, outBytes, err := p.Memory().Alloc(4 * n * k.out)
	if err != nil {
		return nil, err
	}
	copy(inBytes, message(k.input(n)))
	_, size, err := p.Params(k.name)
	if err != nil {
		return nil, err
	}
	err = p.Run(k.name, ptxreference.Launch{Grid: [3]int{grid}, Block: [3]int{block},
		Params: parameters(in, out, n)[:size], StepLimit: 1 << 24})
	return wordsOf(outBytes), err
}

// execute runs machine code in the simulator and returns the words that it stores.
func execute(im *cubin.Image, k *kernel, n int) ([]uint32, error) {
	l, out, err := launch(im, k, n)
	if err != nil {
		return nil, err
	}
	l.Workers, l.NoStats = 1, true
	_, err = simt.Run(l)
	return wordsOf(out), err
}

// launch returns a launch of machine code, and the bytes that it stores.
func launch(im *cubin.Image, k *kernel, n int) (l *simt.Launch, outBytes []byte, err error) {
	p, err := load.Program(im.Arch, im.Kernel(k.name), simt.Host{})
	if err != nil {
		return nil, nil, err
	}
	space := mem.NewSpace(1 << 24)
	in, err := space.AllocIn(message(k.input(n)), 0)
	if err != nil {
		return nil, nil, err
	}
	outBytes = make([]byte, 4*n*k.out)
	out, err := space.AllocIn(outBytes, 0)
	if err != nil {
		return nil, nil, err
	}
	data, err := load.Place(im, space, space.Alloc)
	if err != nil {
		return nil, nil, err
	}
	return &simt.Launch{
		Program: p, Grid: [2]int{grid, 1}, Block: [3]int{block, 1, 1}, Policy: "nvidia", Const: data.Const(im.Kernel(k.name)),
		Params: parameters(uint64(in), uint64(out), n), Global: space, Watchdog: 1 << 24,
	}, outBytes, nil
}

// wordsOf is bytes as words.
func wordsOf(b []byte) []uint32 {
	words := make([]uint32, len(b)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words
}
