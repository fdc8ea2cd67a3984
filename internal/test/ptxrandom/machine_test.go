package ptxrandom

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"jacquard/cubin"
	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/sfu"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// unit is Tesla's special function unit.
type unit struct{ ptxreference.Accurate }

func (unit) Rcp(x uint32) uint32   { return sfu.Rcp(x) }
func (unit) Rsqrt(x uint32) uint32 { return sfu.Rsqrt(x) }

const steps = 1 << 22

// interpret runs a kernel in the reference and returns the words that it stores.
func interpret(m *ptx.Module, k *Kernel) ([]byte, error) {
	p, err := ptxreference.Load(m, ptxreference.Config{Approx: unit{}})
	if err != nil {
		return nil, err
	}
	in, inBytes, err := p.Memory().Alloc(len(k.In))
	if err != nil {
		return nil, err
	}
	out, outBytes, err := p.Memory().Alloc(k.Out)
	if err != nil {
		return nil, err
	}
	copy(inBytes, k.In)
	err = p.Run("k", ptxreference.Launch{Grid: [3]int{k.Grid[0], k.Grid[1]}, Block: [3]int{k.Block[0], k.Block[1]},
		Params: parameters(in, out, k), StepLimit: steps, Alone: true})
	if err != nil {
		return nil, err
	}
	_, sums, _ := p.Variable("sums")
	return withSums(outBytes, sums), nil
}

func parameters(in, out uint64, k *Kernel) (b []byte) {
	b = binary.LittleEndian.AppendUint64(nil, in)
	b = binary.LittleEndian.AppendUint64(b, out)
	return append(b, k.Rest...)
}

// execute runs compiled code in the simulator and returns the words that it stores.
func execute(im *cubin.Image, k *Kernel, policy string) ([]byte, error) {
	p, err := load.Program(im.Arch, &im.Kernels[0], simt.Host{})
	if err != nil {
		return nil, err
	}
	space := mem.NewSpace(1 << 24)
	in, err := space.Map(bytes.Clone(k.In))
	if err != nil {
		return nil, err
	}
	outBytes := make([]byte, k.Out)
	out, err := space.Map(outBytes)
	if err != nil {
		return nil, err
	}
	data, err := load.Place(im, space, space.Alloc)
	if err != nil {
		return nil, err
	}
	launch := &simt.Launch{Program: p, Grid: k.Grid, Block: [3]int{k.Block[0], k.Block[1], 1}, Policy: policy,
		Const: data.Const(&im.Kernels[0]), Params: parameters(uint64(in), uint64(out), k), Global: space,
		Watchdog: 1 << 24, Workers: 1, NoStats: true}
	if _, err = simt.Run(launch); err != nil {
		return nil, err
	}
	return withSums(outBytes, data.Variables["sums"].Bytes), nil
}

// withSums returns the words of a kernel: the words of its threads, and its sums.
func withSums(out, sums []byte) []byte {
	return append(append(out, sums...), make([]byte, 4*sumWords-len(sums))...)
}

// errInvalid marks a kernel that says nothing about the compiler.
var errInvalid = errors.New("the kernel is not valid")

// try compiles and runs a kernel, and returns the compiler's mistake.
func try(k *Kernel, arch tesla.Arch, policy string) error {
	m, err := ptx.Parse("k.ptx", []byte(k.Text))
	if err != nil {
		return fmt.Errorf("%w: %w", errInvalid, err)
	}
	im, err := compile.Compile(m, compile.Options{Arch: arch, Verify: true})
	if err != nil {
		return err
	}
	want, err := interpret(m, k)
	if err != nil {
		return fmt.Errorf("%w: %w", errInvalid, err)
	}
	got, err := execute(im, k, policy)
	if err != nil {
		return err
	}
	return difference(got, want)
}

// difference names the first words that differ.
func difference(got, want []byte) error {
	const each = scratch + mostPerExit
	for i := 0; i < len(want); i += 4 {
		g, w := binary.LittleEndian.Uint32(got[i:]), binary.LittleEndian.Uint32(want[i:])
		if g != w {
			return fmt.Errorf("thread %d: word at %d is %#x instead of %#x", i/each, i%each-scratch, g, w)
		}
	}
	return nil
}
