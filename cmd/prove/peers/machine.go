package main

import (
	"encoding/binary"
	"fmt"
	"strings"

	"jacquard/cubin"
	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// dynamic is the shared memory that the tests give each launch, in bytes.
const dynamic = 1024

// machine runs a test's kernel on the simulator and returns what it wrote.
func (t rustTest) machine(image *cubin.Image) ([]byte, error) {
	kernel := image.Kernel(t.kernel)
	if kernel == nil {
		return nil, fmt.Errorf("no kernel %s", t.kernel)
	}
	program, err := load.Program(tesla.SM13, kernel, simt.Host{})
	if err != nil {
		return nil, err
	}
	space := mem.NewSpace(1 << 28)
	data, err := load.Place(image, space, space.Alloc)
	if err != nil {
		return nil, err
	}
	alloc := func(b []byte) (uint64, error) {
		a, err := space.AllocIn(b, 0)
		return uint64(a), err
	}
	params, out, err := t.params(alloc, image.Pointer)
	if err != nil {
		return nil, err
	}
	_, err = simt.Run(&simt.Launch{
		Program: program, Grid: [2]int{1, 1}, Block: [3]int{t.threads, 1, 1}, Dynamic: dynamic,
		Policy: "nvidia", Params: params, Global: space, Const: data.Const(kernel),
		Watchdog: 1 << 24, Workers: 1, NoStats: true,
	})
	return out, err
}

// reference runs a test's kernel in the reference interpreter.
func (t rustTest) reference(m *ptx.Module) ([]byte, error) {
	memory := &ptxreference.Memory{}
	p, err := ptxreference.Load(m, ptxreference.Config{Memory: memory})
	if err != nil {
		return nil, err
	}
	alloc := func(b []byte) (uint64, error) {
		address, _, err := memory.Alloc(0)
		if err != nil {
			return 0, err
		}
		return address, memory.Map(address+256, b)
	}
	shift := func(b []byte) (uint64, error) {
		a, err := alloc(b)
		return a + 256, err
	}
	params, out, err := t.params(shift, m.AddressBits/8)
	if err != nil {
		return nil, err
	}
	err = p.Run(t.kernel, ptxreference.Launch{Block: [3]int{t.threads, 1, 1}, Params: params, Shared: dynamic})
	return out, err
}

// params allocates the arrays and returns the parameters, and the bytes of the output.
func (t rustTest) params(alloc func([]byte) (uint64, error), pointer int) (params, out []byte, err error) {
	out = make([]byte, len(t.out.bytes()))
	to, err := alloc(out)
	if err != nil {
		return nil, nil, err
	}
	from := to
	if t.in != nil {
		if from, err = alloc(t.in.bytes()); err != nil {
			return nil, nil, err
		}
	}
	for _, a := range []uint64{from, to} {
		params = append(params, binary.LittleEndian.AppendUint64(nil, a)[:pointer]...)
	}
	return params, out, nil
}

// hex shows the first elements of some bytes.
func hex(b []byte, size int) string {
	var words []string
	for i := 0; i+size <= len(b); i += size {
		if len(words) == 4 {
			words = append(words, "...")
			break
		}
		word := make([]byte, 8)
		copy(word, b[i:][:size])
		words = append(words, fmt.Sprintf("%#x", binary.LittleEndian.Uint64(word)))
	}
	return strings.Join(words, " ")
}
