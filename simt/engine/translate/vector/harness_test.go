package vector

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"jacquard/fpu"
	"jacquard/simt/engine/translate/host"
	"jacquard/simt/engine/translate/hostcode"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
)

// maxSources is the most rows that a body of a test reads.
const maxSources = 6

// frame is the memory of compiled bodies.
type frame struct {
	mxcsr   uint32
	carry   uint32
	masks   [8]uint64 // patterns of mask registers
	flags   [4]uint32
	in      [maxSources]lane.Row
	after   [maxSources]lane.Row // the sources after the body
	out     [2]lane.Row
	others  [32][64]byte // registers that the body does not own
	scratch [ScratchBytes]byte
}

// body is a body under test.
type body struct {
	name string
	n    int // source rows
	emit func(b *Builder, x []Vec, part int) []Vec
	// want computes results and flags; a mask is the flag Z.
	want  func(f *reference)
	words func(x uint32) uint32 // turns random words into interesting ones; may be nil
	// rows fills the source rows with random words; nil means words.
	rows  func(rnd *rand.Rand, in []lane.Row)
	group int // parts that emit takes at once; 0 means 1
	flags bool
	few   bool // few random rows
}

// reference is the portable kernels' side of a test.
type reference struct {
	in    [maxSources]lane.Row
	out   [2]lane.Row
	flags [1]lane.Flags
	masks [lane.MaxWarps]lane.Mask
}

var whole = &lane.Sel{N: 1, Full: true, Mask: [lane.MaxWarps]lane.Mask{lane.All}}

func (r *reference) x(i int) lane.Rows { return lane.RowsOf(&r.in[i], 0) }
func (r *reference) d() lane.Rows      { return lane.RowsOf(&r.out[0], 0) }
func (r *reference) pair(i int) lane.Rows64 {
	return lane.Rows64{Lo: r.x(2 * i), Hi: r.x(2*i + 1)}
}
func (r *reference) d64() lane.Rows64 {
	return lane.Rows64{Lo: r.d(), Hi: lane.RowsOf(&r.out[1], 0)}
}

// compiled is a body in executable memory.
type compiled struct {
	entry   hostcode.Entry
	size    int
	peak    int // registers that the body took besides its sources
	outputs int
}

func at(offset uintptr) x86.Operand { return x86.At(x86.RDI, int32(offset)) }

// evicting means that no register is free, and Evict gives one after the other.
const evicting = 0

// compile makes a function of a body that has only free registers besides its sources. It checks
// that the body frees them.
func compile(t testing.TB, k *body, l Level, free, rounds int) compiled {
	t.Helper()
	var f frame
	a := x86.New(l == AVX512)
	b := New(a, l)
	b.Scratch = at(unsafe.Offsetof(f.scratch))
	b.Assume(ModeFloat)
	group := max(k.group, 1)
	c := compiled{}
	vectors := make([]Vec, k.n*group)
	for i := range vectors {
		vectors[i] = b.Vec()
	}
	var others []Vec
	for b.FreeVecs() > free {
		v := b.Vec()
		others = append(others, v)
		b.two(x86.VMOVDQU, v, Mem(at(unsafe.Offsetof(f.others)+64*uintptr(v))))
	}
	evicted := uint32(0)
	if free == evicting {
		b.Evict = func() bool {
			last := len(others) - 1
			if last < 0 {
				return false
			}
			evicted |= 1 << others[last]
			b.Free(others[last])
			others = others[:last]
			return true
		}
	}
	if l == AVX512 {
		for i := range uint8(2) {
			a.V(x86.Ins{Op: x86.KMOVQ, D: 1 + i, RM: at(unsafe.Offsetof(f.masks) + 8*uintptr(i))})
		}
	}
	loop := a.NewLabel()
	a.Mov(64, x86.R(x86.RSI), x86.Imm(int64(rounds)))
	a.Bind(loop)
	for part := 0; part < l.Parts(); part += group {
		row := func(from uintptr, i, part int) x86.Operand {
			return at(from + uintptr(128*i+part*b.bytes()))
		}
		for i, v := range vectors {
			b.two(x86.VMOVDQU, v, Mem(row(unsafe.Offsetof(f.in), i%k.n, part+i/k.n)))
		}
		if rounds == 1 { // the body must set its own mode
			b.Mode([]Mode{ModeDouble.Rounded(fpu.RM), ModeFloat.Rounded(fpu.RZ), ModeFloat, ModeDouble.Rounded(fpu.RP)}[part])
		}
		var taken []Mask // bodies need only a few masks
		for l == AVX512 && rounds == 1 && b.freeMasks() > MaskDemand {
			m := b.Mask()
			taken = append(taken, m)
			a.V(x86.Ins{Op: x86.KMOVQ, D: uint8(m), RM: at(unsafe.Offsetof(f.masks) + 8*uintptr(m))})
		}
		masks, used := b.masks, b.vectors
		b.low = b.FreeVecs()
		d := k.emit(b, vectors, part)
		c.peak = max(c.peak, free-b.low)
		for i, v := range d {
			b.Store(row(unsafe.Offsetof(f.out), i/group, part+i%group), v)
			b.Free(v)
		}
		c.outputs = len(d) / group
		require.Equal(t, masks, b.masks, "%s keeps a mask", k.name)
		require.Equal(t, used&^evicted, b.vectors, "%s keeps a vector", k.name)
		for _, m := range taken {
			a.V(x86.Ins{Op: x86.KMOVQStore, D: uint8(m), RM: at(unsafe.Offsetof(f.masks) + 8*uintptr(m))})
		}
		b.FreeMask(taken...)
		if rounds == 1 {
			for i, v := range vectors {
				b.Store(row(unsafe.Offsetof(f.after), i%k.n, part+i/k.n), v)
			}
		}
	}
	b.Mode(ModeFloat)
	a.Sub(64, x86.R(x86.RSI), x86.Imm(1))
	a.Jcc(x86.NE, loop)
	for i, r := range []x86.Reg{RegZ, RegS, RegC, RegO} {
		a.Mov(32, at(unsafe.Offsetof(f.flags)+4*uintptr(i)), x86.R(r))
	}
	for _, v := range others {
		b.Store(at(unsafe.Offsetof(f.others)+64*uintptr(v)), v)
	}
	if l == AVX512 {
		for i := range uint8(2) {
			a.V(x86.Ins{Op: x86.KMOVQStore, D: 1 + i, RM: at(unsafe.Offsetof(f.masks) + 8*uintptr(i))})
		}
	}
	a.Ret()
	b.FlushCold()
	require.Equal(t, 0, len(b.cold))
	code := a.Finish()
	c.size = len(code)
	loaded, err := hostcode.Load(code)
	require.NoError(t, err)
	c.entry = loaded.Entry(0)
	return c
}

// levels lists the levels of the host.
func levels(t testing.TB) (list []Level) {
	for _, l := range []Level{AVX2, AVX512} {
		if _, err := host.Find(l.String()); err == nil {
			list = append(list, l)
		}
	}
	if list == nil {
		t.Skip(host.Lacking())
	}
	return list
}

// newFrame returns aligned memory, with patterns where bodies must not write.
func newFrame() *frame {
	const align = 64
	memory := make([]byte, unsafe.Sizeof(frame{})+align)
	skip := -uintptr(unsafe.Pointer(&memory[0])) % align
	f := (*frame)(unsafe.Pointer(&memory[skip]))
	f.reset()
	return f
}

func (f *frame) reset() {
	f.mxcsr = uint32(ModeFloat)
	for i := range f.masks {
		f.masks[i] = 0x123456789abcdef1 * uint64(i+1)
	}
	for i := range f.others {
		for j := 0; j < 64; j += 8 {
			binary.LittleEndian.PutUint64(f.others[i][j:], uint64(i)*0x9e3779b97f4a7c15+uint64(j))
		}
	}
}

// check runs a compiled body on rows and compares with the portable kernels.
func (c *compiled) check(t *testing.T, k *body, l Level, f *frame, r *reference) {
	t.Helper()
	r.in = f.in
	r.out = [2]lane.Row{}
	r.flags[0] = lane.Flags{C: lane.Mask(f.carry)}
	k.want(r)
	c.entry.Call(unsafe.Pointer(f))
	for i := range c.outputs {
		if f.out[i] == r.out[i] {
			continue
		}
		for j := range lane.Width {
			if f.out[i][j] != r.out[i][j] {
				require.Failf(t, "wrong lane", "%s of %s, result %d, lane %d of %s: got %08x, want %08x", k.name, l,
					i, j, f.lane(k.n, j), f.out[i][j], r.out[i][j])
			}
		}
	}
	if k.flags {
		want := r.flags[0]
		for i, m := range []lane.Mask{want.Z, want.S, want.C, want.O} {
			if diff := f.flags[i] ^ uint32(m); diff != 0 && (i < 2 || m != 0) {
				j := 0
				for diff>>j&1 == 0 {
					j++
				}
				require.Failf(t, "wrong flag", "%s of %s, flag %c, lane %d of %s: got %08x, want %08x", k.name, l,
					"ZSCO"[i], j, f.lane(k.n, j), f.flags[i], m)
			}
		}
	}
}

func (f *frame) lane(n, j int) string {
	s := ""
	for i := range n {
		s += fmt.Sprintf(" %08x", f.in[i][j])
	}
	return s + fmt.Sprintf(" carry %d", f.carry>>j&1)
}

// edges are the words at which rules change.
var edges = []uint32{
	0, 1, 2, 15, 16, 17, 31, 32, 33, 0x7fff, 0x8000, 0xffff, 0x10000,
	0x007fffff, 0x00800000, 0x00800001, 0x00ffffff, 0x01000000, 0x0c800000, 0x18ffffff, 0x19000000, 0x1f7fffff, 0x20000000,
	0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x4b000001, 0x4effffff, 0x4f000000, 0x4f800000,
	0x5f800000, 0x7effffff, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff,
	0x80000000, 0x80000001, 0x807fffff, 0x80800000, 0x80800001, 0x9f7fffff, 0xbf7fffff, 0xbf800000, 0xcf000000, 0xdf800000,
	0xff7fffff, 0xff800000, 0xff800001, 0xffc00000, 0xffff8000, 0xfffffffe, 0xffffffff,
}

// floatWord turns a random word into an interesting f32.
func floatWord(x uint32) uint32 {
	switch x & 7 {
	case 0, 1:
		return edges[x>>3%uint32(len(edges))] | x&sign32
	case 2, 3:
		return x
	case 4:
		return x & 0x80ffffff // around the least number
	}
	return x&^(0xff<<23) | (120+x>>2%16)<<23
}

// try compares a body with the portable kernels for edges and random words.
func try(t *testing.T, k *body, l Level) {
	r := new(reference)
	free := Demand
	if k.group == 2 {
		free = SpecialDemand
	}
	c := compile(t, k, l, free, 1)
	f := newFrame()
	rnd := rand.New(rand.NewPCG(1, uint64(len(k.name))))
	run := func() {
		f.carry = rnd.Uint32()
		c.check(t, k, l, f, r)
	}
	total := 1
	for range min(k.n, 3) {
		total *= len(edges)
	}
	for i := 0; i < total; i += lane.Width {
		for j := range lane.Width {
			n := i + j
			for s := range k.n {
				f.in[s][j] = edges[n%len(edges)]
				if n /= len(edges); s >= 2 {
					n = rnd.IntN(1 << 20)
				}
			}
		}
		run()
	}
	rounds := 4000
	if k.few {
		rounds = 60
	} else if k.rows != nil {
		rounds = 20000
	} else if testing.Short() {
		rounds = 400
	}
	for range rounds {
		if k.rows != nil {
			k.rows(rnd, f.in[:])
			run()
			continue
		}
		for s := range k.n {
			for j := range lane.Width {
				x := rnd.Uint32()
				if k.words != nil {
					x = k.words(x)
				}
				f.in[s][j] = x
			}
		}
		run()
	}
	for s := range k.n {
		require.Equal(t, f.in[s], f.after[s], "%s changes a source", k.name)
	}
	fresh := newFrame()
	require.Equal(t, fresh.others, f.others, "%s changes a register", k.name)
	require.Equal(t, fresh.masks, f.masks, "%s changes a mask", k.name)

	c = compile(t, k, l, evicting, 1)
	for range 20 {
		for s := range k.n {
			for j := range lane.Width {
				f.in[s][j] = floatWord(rnd.Uint32())
			}
		}
		run()
	}
}
