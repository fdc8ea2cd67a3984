package hostcode

import (
	"bytes"
	"errors"
	"math"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine/translate/x86"
)

// usual is the MXCSR of Go programs.
const usual = 0x1F80

// context is what the code of these tests gets.
type context struct {
	mxcsr uint32
	seen  uint32
	a, b  uint64
	rows  [6][16]uint32
}

// Displacements of the fields of context.
var (
	atSeen = int32(unsafe.Offsetof(context{}.seen))
	atA    = int32(unsafe.Offsetof(context{}.a))
	atB    = int32(unsafe.Offsetof(context{}.b))
	atRows = int32(unsafe.Offsetof(context{}.rows))
)

// load assembles and loads code, and skips the test where none can run.
func load(t testing.TB, evex bool, make func(a *x86.Assembler)) *Code {
	t.Helper()
	if err := Available(); err != nil {
		t.Skip("wants a host that runs machine code: ", err)
	}
	a := x86.New(evex)
	make(a)
	c, err := Load(a.Finish())
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func (e Entry) with(c *context) { e.Call(unsafe.Pointer(c)) }

// hasFlag tells whether the processor has a feature, as Linux names it.
func hasFlag(name string) bool {
	info, _ := os.ReadFile("/proc/cpuinfo")
	return bytes.Contains(info, []byte(" "+name+" ")) || strings.Contains(string(info), " "+name+"\n")
}

// Code reads and writes its context, and begins where the entry says.
func TestCall(t *testing.T) {
	var second x86.Label
	var at int
	c := load(t, false, func(a *x86.Assembler) {
		a.Mov(64, x86.R(x86.RAX), x86.At(x86.RDI, atA))
		a.Add(64, x86.R(x86.RAX), a.Const([]byte{5, 0, 0, 0, 0, 0, 0, 0}, 8))
		a.Mov(64, x86.At(x86.RDI, atB), x86.R(x86.RAX))
		a.Ret()
		a.Align(16)
		second = a.NewLabel()
		a.Bind(second)
		at = a.Offset(second)
		a.Mov(64, x86.At(x86.RDI, atB), x86.Imm(-1))
		a.Ret()
	})
	ctx := context{mxcsr: usual, a: 37}
	c.Entry(0).with(&ctx)
	require.EqualValues(t, 42, ctx.b)
	c.Entry(at).with(&ctx)
	require.Equal(t, uint64(math.MaxUint64), ctx.b)
	require.Panics(t, func() { c.Entry(c.Size()) })
	require.Panics(t, func() { c.Entry(-1) })
	c.Close()
	c.Close()
	require.Panics(t, func() { c.Entry(0) })
}

// Operands that the compiler does not know, for operations at run time.
var one, three, tiny = float32(1), float32(3), float32(math.SmallestNonzeroFloat32)

// Code runs under the MXCSR of its context, and Go does not.
func TestControlWord(t *testing.T) {
	c := load(t, false, func(a *x86.Assembler) {
		a.V(x86.Ins{Op: x86.VSTMXCSR, RM: x86.At(x86.RDI, atSeen)})
		// The code leaves a control word of its own, and status bits.
		a.V(x86.Ins{Op: x86.VMOVSS, D: 0, RM: x86.At(x86.RDI, atA)})
		a.V(x86.Ins{Op: x86.VDIVSS, D: 0, S: 0, RM: x86.At(x86.RDI, atA+4)})
		a.V(x86.Ins{Op: x86.VMOVSSStore, D: 0, RM: x86.At(x86.RDI, atB)})
		a.V(x86.Ins{Op: x86.VLDMXCSR, RM: a.Const([]byte{0xFF, 0xFF, 0, 0}, 4)})
		a.Ret()
	})
	third := uint32(0x3EAAAAAB)
	for _, m := range []struct{ mxcsr, want uint32 }{
		{usual, third},                    // to nearest is up, here
		{usual | 1<<13, third - 1},        // down
		{usual | 2<<13, third},            // up
		{usual | 3<<13, third - 1},        // to zero
		{usual | 1<<15 | 1<<6, third},     // denormals are zero
		{usual | 3<<13 | 0x3F, third - 1}, // status bits
	} {
		ctx := context{mxcsr: m.mxcsr}
		ctx.a = uint64(math.Float32bits(one)) | uint64(math.Float32bits(three))<<32
		c.Entry(0).with(&ctx)
		require.Equal(t, m.mxcsr, ctx.seen)
		require.Equal(t, m.want, uint32(ctx.b))
		require.Equal(t, third, math.Float32bits(one/three), "Go's rounding")
		require.Equal(t, uint32(2), math.Float32bits(tiny+tiny), "Go's denormals")
	}
}

// wreck overwrites all registers that code may overwrite.
func wreck(evex bool) func(a *x86.Assembler) {
	return func(a *x86.Assembler) {
		for r := x86.RAX; r <= x86.R15; r++ {
			if r != x86.RSP && r != x86.RDI {
				a.Mov(64, x86.R(r), x86.Imm(0x5A5A5A5A5A5A5A5A+int64(r)))
			}
		}
		n, l := uint8(16), x86.Y
		if evex {
			n, l = 32, x86.Z
			for k := range uint8(8) {
				a.V(x86.Ins{Op: x86.KMOVW, D: k, RM: x86.R(x86.RAX)})
			}
		}
		for v := range n {
			a.V(x86.Ins{Op: x86.VPCMPEQD, L: x86.Y, D: v & 7, S: v & 7, RM: x86.V(v & 7)})
			a.V(x86.Ins{Op: x86.VPBROADCASTD, L: l, D: v, RM: x86.At(x86.RDI, 0)})
		}
		// Stack that the package promises, and the flags.
		for range 512 / 8 {
			a.Push(x86.R(x86.RAX))
		}
		for range 512 / 8 {
			a.Pop(x86.R(x86.RDI))
		}
		a.Cmp(32, x86.R(x86.RDI), x86.Imm(-1))
		a.Ret()
	}
}

// What Go keeps in registers survives code that overwrites all of them, at any depth of the stack.
func TestRegistersSurvive(t *testing.T) {
	kinds := []bool{false}
	if hasFlag("avx512bw") && hasFlag("avx512vl") {
		kinds = append(kinds, true)
	}
	for _, evex := range kinds {
		e := load(t, evex, wreck(evex)).Entry(0)
		done := make(chan uint64)
		var want uint64
		for n := range 8 {
			go func() { done <- descend(e, 300, uint64(n)) }()
			want += descend(Entry{}, 300, uint64(n))
		}
		var got uint64
		for range 8 {
			got += <-done
		}
		require.Equal(t, want, got)
	}
}

// descend calls the code at every depth of a recursion, with many live variables around.
//
//go:noinline
func descend(e Entry, depth int, x uint64) uint64 {
	var pad [13]uint64 // the depth of a frame is no multiple of the stack's growth
	pad[depth%13] = x
	a, b, c, d, f, g, h := x, x+1, x*3, x^5, x+7, x*11, x+13
	y, z := float64(x), float64(x)+0.5
	var m context
	m.mxcsr = usual
	for n := range uint64(3) {
		if e.code != nil {
			e.with(&m)
		}
		a, b, c, d = a+b*n, b^c, c+d, d*5+a
		f, g, h = f+a, g^f, h+g
		y, z = y*0.5+z, z*0.25+y
	}
	s := a + b + c + d + f + g + h + uint64(int64(y)) + uint64(int64(z)) + pad[depth%13]
	if depth > 0 {
		s += descend(e, depth-1, s)
	}
	return s
}

// A host that refuses executable memory is an error that tells the step.
func TestRefused(t *testing.T) {
	if err := Available(); err != nil {
		t.Skip("wants a host that runs machine code: ", err)
	}
	refused := errors.New("refused")
	unmapped := 0
	h := host{
		mapPages: func(n int) ([]byte, error) { return make([]byte, n), nil },
		protect:  func([]byte) error { return refused },
		unmap:    func([]byte) error { unmapped++; return nil },
	}
	_, err := h.load([]byte{0xC3})
	var m *MemoryError
	require.ErrorAs(t, err, &m)
	require.ErrorIs(t, err, refused)
	require.Equal(t, "protect", m.Step)
	require.EqualError(t, err, "protect 1 bytes of executable memory: refused")
	require.Equal(t, 1, unmapped)
	h.mapPages = func(int) ([]byte, error) { return nil, refused }
	_, err = h.load([]byte{0xC3})
	require.ErrorAs(t, err, &m)
	require.Equal(t, "map", m.Step)
	require.Equal(t, 1, unmapped)
}

// A platform without machine code is an error of its own.
func TestUnsupported(t *testing.T) {
	_, err := (&host{}).load([]byte{0xC3})
	var u *UnsupportedError
	require.ErrorAs(t, err, &u)
	require.Equal(t, "no machine code runs on "+runtime.GOOS+", "+runtime.GOARCH, err.Error())
	require.EqualError(t, &UnsupportedError{Lacks: "AVX"}, "no machine code runs on a processor without AVX")
}

// Code that is forgotten is unmapped, and not before its entries are.
func TestForgotten(t *testing.T) {
	if err := Available(); err != nil {
		t.Skip("wants a host that runs machine code: ", err)
	}
	var unmapped atomic.Int32
	h := system
	h.unmap = func(p []byte) error { unmapped.Add(1); return system.unmap(p) }
	c, err := h.load([]byte{0xC3})
	require.NoError(t, err)
	e := c.Entry(0)
	c = nil
	runtime.GC()
	runtime.GC()
	ctx := context{mxcsr: usual}
	e.with(&ctx)
	require.Zero(t, unmapped.Load())
	for n := 0; n < 100 && unmapped.Load() == 0; n++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	require.EqualValues(t, 1, unmapped.Load())
}

// Pages are never writable and executable at once.
func TestPages(t *testing.T) {
	c := load(t, false, (*x86.Assembler).Ret)
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip("wants /proc: ", err)
	}
	require.NotContains(t, string(maps), "rwx")
	require.Zero(t, c.Entry(0).addr&0xFFF)
}

// BenchmarkCall measures a call of code that returns at once.
func BenchmarkCall(b *testing.B) {
	e := load(b, false, (*x86.Assembler).Ret).Entry(0)
	ctx := context{mxcsr: usual}
	for range b.N {
		e.with(&ctx)
	}
}
