package compile_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"

	"jacquard/cubin"
	"jacquard/fpu"
	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/sfu"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// unit is Tesla's special function unit, and the quotients that the compiler makes of it.
type unit struct{ ptxreference.Accurate }

func (unit) Rcp(x uint32) uint32   { return sfu.Rcp(x) }
func (unit) Rsqrt(x uint32) uint32 { return sfu.Rsqrt(x) }
func (unit) Sqrt(x uint32) uint32  { return sfu.Rcp(sfu.Rsqrt(x)) }
func (unit) Ex2(x uint32) uint32   { return sfu.Ex2(sfu.PreEx2(x)) }
func (unit) Lg2(x uint32) uint32   { return sfu.Lg2(x) }
func (unit) Sin(x uint32) uint32   { return sfu.Sin(sfu.PreSin(x)) }
func (unit) Cos(x uint32) uint32   { return sfu.Cos(sfu.PreSin(x)) }

// Div returns a * rcp(b).
func (unit) Div(a, b uint32) uint32 { return fpu.Mul(a, sfu.Rcp(b), fpu.RN) }

// DivFull scales a great divisor and its dividend down.
func (u unit) DivFull(a, b uint32) uint32 {
	const quarter, great = 0x3e800000, 0x7e800000
	if m := b &^ (1 << 31); m > great && m <= 0x7f800000 {
		a, b = fpu.Mul(a, quarter, fpu.RN), fpu.Mul(b, quarter, fpu.RN)
	}
	return u.Div(a, b)
}

// removed are lines of a kernel that something refuses, and why.
type removed map[int]string

func (r removed) set() map[int]bool {
	out := map[int]bool{}
	for n := range r {
		out[n] = true
	}
	return out
}

// reading is a kernel without some lines, which several bodies want.
type reading struct {
	without map[int]bool
	module  *ptx.Module
	lines   map[int]int
}

// parsed parses a kernel without the lines that the parser refuses.
func (k *rowKernel) parsed(without removed) (*ptx.Module, map[int]int, error) {
	for _, r := range k.readings {
		if maps.Equal(r.without, without.set()) {
			return r.module, r.lines, nil
		}
	}
	m, lines, err := k.parse(without)
	if err == nil && len(k.readings) < mostReadings {
		k.readings = append(k.readings, reading{without.set(), m, lines})
	}
	return m, lines, err
}

const mostReadings = 8

func (k *rowKernel) parse(without removed) (*ptx.Module, map[int]int, error) {
	for {
		text, lines := k.text(without.set())
		m, err := ptx.Parse("rows", []byte(text))
		if err == nil {
			return m, lines, nil
		}
		all, ok := err.(ptx.Errors)
		if !ok {
			return nil, nil, err
		}
		before := len(without)
		for _, e := range all {
			if n := lines[e.Pos.Line]; n >= 0 {
				without[n] = e.Message
			}
		}
		if len(without) == before {
			return nil, nil, fmt.Errorf("%w\n%s", err, text)
		}
	}
}

// memory returns the memory that the kernel reads.
func (k *rowKernel) memory() []byte {
	g := &operandSource{random: rand.New(rand.NewPCG(k.key(), 1)),
		mapped: strings.Contains(k.header, "map_f64"), quotient: quotient(k.lines[0].name)}
	return g.rows(k.types)
}

// quotient reports whether an instruction divides.
func quotient(name string) bool {
	return strings.HasPrefix(name, "div.") || strings.HasPrefix(name, "rem.")
}

// outBytes is the size of the results.
func (k *rowKernel) outBytes() int { return 2 * len(k.lines) * 8 * rowThreads }

// interpret returns the results of the reference and the lines that it refuses.
func (k *rowKernel) interpret(without removed) ([]byte, error) {
	for {
		m, lines, err := k.parsed(without)
		if err != nil {
			return nil, err
		}
		out, err := k.runReference(m)
		var e *ptxreference.Error
		if err == nil || !errors.As(err, &e) {
			return out, err
		}
		n, ok := lines[e.Pos.Line]
		if !ok || n < 0 {
			return nil, err
		}
		without[n] = e.Kind.String() + ": " + e.Text
	}
}

func (k *rowKernel) runReference(m *ptx.Module) ([]byte, error) {
	p, err := ptxreference.Load(m, ptxreference.Config{Approx: unit{}})
	if err != nil {
		return nil, err
	}
	in, inBytes, err := p.Memory().Alloc(rowBytes * rowThreads)
	if err != nil {
		return nil, err
	}
	out, outBytes, err := p.Memory().Alloc(k.outBytes())
	if err != nil {
		return nil, err
	}
	copy(inBytes, k.memory())
	params := binary.LittleEndian.AppendUint64(nil, in)
	params = binary.LittleEndian.AppendUint64(params, out)
	return outBytes, p.Run("k", ptxreference.Launch{Block: [3]int{rowThreads}, Params: params})
}

// compiled returns the machine code for a device and notes the lines that the compiler refuses.
func (k *rowKernel) compiled(arch tesla.Arch, without removed) (*cubin.Image, error) {
	for {
		m, lines, err := k.parsed(without)
		if err != nil {
			return nil, err
		}
		image, err := compile.Compile(m, compile.Options{Arch: arch, Verify: true})
		if err == nil {
			return image, nil
		}
		if before := len(without); !note(err, lines, without) || len(without) == before {
			return nil, err
		}
	}
}

// note adds the lines that an error names. It reports false for an error without a line of the text.
func note(err error, lines map[int]int, without removed) bool {
	switch e := err.(type) {
	case *ptx.Error:
		n, ok := lines[e.Pos.Line]
		if !ok || n < 0 {
			return false
		}
		without[n] = e.Message
		return true
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			if !note(one, lines, without) {
				return false
			}
		}
		return true
	case interface{ Unwrap() error }:
		return note(e.Unwrap(), lines, without)
	}
	return false
}

// execute returns the results of machine code.
func (k *rowKernel) execute(arch tesla.Arch, image *cubin.Image) ([]byte, error) {
	kernel := &image.Kernels[0]
	p, err := load.Program(arch, kernel, simt.Host{})
	if err != nil {
		return nil, err
	}
	space := mem.NewSpace(1 << 20)
	outBytes := make([]byte, k.outBytes())
	in, err := space.Map(k.memory())
	if err != nil {
		return nil, err
	}
	out, err := space.Map(outBytes)
	if err != nil {
		return nil, err
	}
	params := binary.LittleEndian.AppendUint64(nil, uint64(in))
	params = binary.LittleEndian.AppendUint64(params, uint64(out))
	launch := &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{rowThreads, 1, 1},
		Params: params, Global: space, Watchdog: 1 << 24, Workers: 1}
	load.Fill(&launch.Const, kernel.Segments)
	load.Constants(&launch.Const, image)
	_, err = simt.Run(launch)
	return outBytes, err
}
