package meeting

import (
	"encoding/binary"
	"fmt"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// build compiles PTX for a device.
func build(text string, arch tesla.Arch) (*cubin.Image, error) {
	m, err := ptx.Parse("k.ptx", []byte(text))
	if err != nil {
		return nil, err
	}
	return compile.Compile(m, compile.Options{Arch: arch})
}

// execute runs a kernel of a program and returns the words that its threads store.
func execute(im *cubin.Image, kernel string, p *Program, policy string) ([]uint32, error) {
	k := im.Kernel(kernel)
	prog, err := load.Program(im.Arch, k, simt.Host{})
	if err != nil {
		return nil, err
	}
	space := mem.NewSpace(1 << 22)
	var input []byte
	for _, w := range p.In {
		input = binary.LittleEndian.AppendUint32(input, w)
	}
	in, err := space.Map(input)
	if err != nil {
		return nil, err
	}
	bytes := make([]byte, 4*Slots*p.Threads)
	out, err := space.Map(bytes)
	if err != nil {
		return nil, err
	}
	data, err := load.Place(im, space, space.Alloc)
	if err != nil {
		return nil, err
	}
	params := binary.LittleEndian.AppendUint64(nil, uint64(in))
	params = binary.LittleEndian.AppendUint64(params, uint64(out))
	params = binary.LittleEndian.AppendUint32(params, p.N)
	launch := &simt.Launch{Program: prog, Grid: [2]int{1, 1}, Block: [3]int{p.Threads, 1, 1}, Policy: policy,
		Const: data.Const(k), Params: params, Global: space, Watchdog: 1 << 24, Workers: 1, NoStats: true}
	if _, err := simt.Run(launch); err != nil {
		return nil, err
	}
	words := make([]uint32, len(bytes)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(bytes[4*i:])
	}
	return words, nil
}

// compare names the first word that differs.
func compare(got, want []uint32) error {
	for i, w := range want {
		if got[i] != w {
			return fmt.Errorf("thread %d: word %d is %#x instead of %#x", i/Slots, i%Slots, got[i], w)
		}
	}
	return nil
}
