package mem

import (
	"compress/gzip"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

var atomOps = map[string]tesla.AtomOp{
	"add": tesla.AtomAdd, "exch": tesla.AtomExch, "cas": tesla.AtomCas, "inc": tesla.AtomInc, "dec": tesla.AtomDec,
	"max": tesla.AtomMax, "min": tesla.AtomMin, "and": tesla.AtomAnd, "or": tesla.AtomOr, "xor": tesla.AtomXor,
}

var atomTypes = map[string]tesla.Type{
	"u32": tesla.U32, "s32": tesla.S32, "b32": tesla.B32, "u64": tesla.U64, "b64": tesla.B64,
}

// TestAtomicVectors runs every row of the golden vectors, as a word and as an access.
func TestAtomicVectors(t *testing.T) {
	f, err := os.Open("../../testdata/vectors/atom.csv.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	rows, err := csv.NewReader(z).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"op", "mods", "a", "b", "c", "cc_in", "r", "cc_out", "r2"}, rows[0])
	require.Len(t, rows[1:], 3040)

	space := NewSpace(4096)
	at, err := space.Alloc(8)
	require.NoError(t, err)
	hex := func(s string) uint64 {
		if s == "" {
			return 0
		}
		v, err := strconv.ParseUint(s, 16, 64)
		require.NoError(t, err)
		return v
	}
	pair := func(v uint64) *Data { return &Data{same(uint32(v)), same(uint32(v >> 32))} }
	for n, row := range rows[1:] {
		op, ok := atomOps[strings.TrimPrefix(row[0], "atom.")]
		require.True(t, ok, row[0])
		typ, ok := atomTypes[row[1]]
		require.True(t, ok, row[1])
		old, a, b, result, returned := hex(row[2]), hex(row[3]), hex(row[4]), hex(row[6]), hex(row[8])
		require.Equal(t, result, atomicWord(op, typ, old, a, b), "row %d: %v", n+2, row)

		memory, err := space.Bytes(at, 8)
		require.NoError(t, err)
		le.PutUint64(memory, old)
		got := pair(0)
		require.Nil(t, space.Atomic(op, typ, same(at), pair(a), pair(b), 1<<7, got))
		require.Equal(t, result, le.Uint64(memory), "row %d: %v", n+2, row)
		require.Equal(t, returned, got.double(7), "row %d: %v", n+2, row)

		le.PutUint64(memory, old)
		got = pair(0)
		require.Nil(t, space.AtomicAlone(op, typ, same(at), pair(a), pair(b), 1<<7, got))
		require.Equal(t, result, le.Uint64(memory), "row %d, alone: %v", n+2, row)
		require.Equal(t, returned, got.double(7), "row %d, alone: %v", n+2, row)
	}
}

// atomicWord returns the new content of an element of type t that held old: a is the operand, b the
// swap value of cas.
func atomicWord(op tesla.AtomOp, t tesla.Type, old, a, b uint64) uint64 {
	switch shapeOf(t) {
	case word:
		return uint64(atomic32(op, t == tesla.S32, uint32(old), uint32(a), uint32(b)))
	case double:
		return atomic64(op, old, a, b)
	}
	return old
}

func TestAtomicWordEdges(t *testing.T) {
	const all = 0xffffffff
	for _, c := range []struct {
		name      string
		op        tesla.AtomOp
		t         tesla.Type
		old, a, b uint64
		want      uint64
	}{
		{"inc wraps to zero by overflow", tesla.AtomInc, tesla.U32, all, all, 0, 0},
		{"inc wraps at the limit", tesla.AtomInc, tesla.U32, 5, 5, 0, 0},
		{"inc below the limit", tesla.AtomInc, tesla.U32, 4, 5, 0, 5},
		{"dec of zero stores the limit", tesla.AtomDec, tesla.U32, 0, 7, 0, 7},
		{"dec of zero, greatest limit", tesla.AtomDec, tesla.U32, 0, all, 0, all},
		{"dec above the limit", tesla.AtomDec, tesla.U32, 9, 7, 0, 7},
		{"dec just above the limit", tesla.AtomDec, tesla.U32, 8, 7, 0, 7},
		{"max signed", tesla.AtomMax, tesla.S32, all, 1, 0, 1},
		{"max unsigned", tesla.AtomMax, tesla.U32, all, 1, 0, all},
		{"min signed", tesla.AtomMin, tesla.S32, all, 1, 0, all},
		{"add wraps", tesla.AtomAdd, tesla.U32, all, 2, 0, 1},
		{"add 64 carries", tesla.AtomAdd, tesla.U64, all, 2, 0, 1<<32 + 1},
		{"cas 64 compares both words", tesla.AtomCas, tesla.B64, 1<<32 | 5, 5, 9, 1<<32 | 5},
		{"max 64 does nothing", tesla.AtomMax, tesla.U64, 1, 2, 0, 1},
		{"xor 64 does nothing", tesla.AtomXor, tesla.B64, 1, 2, 0, 1},
		{"8 bits do nothing", tesla.AtomAdd, tesla.U8, 1, 2, 0, 1},
		{"16 bits do nothing", tesla.AtomExch, tesla.S16, 1, 2, 0, 1},
		{"code 8 does nothing", 8, tesla.U32, 1, 2, 0, 1},
		{"code 9 does nothing", 9, tesla.U32, 1, 2, 0, 1},
		{"code 13 does nothing", 13, tesla.U32, 1, 2, 0, 1},
		{"code 14 does nothing", 14, tesla.U32, 1, 2, 0, 1},
		{"code 15 does nothing", 15, tesla.U32, 1, 2, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, atomicWord(c.op, c.t, c.old, c.a, c.b))
		})
	}
}

func TestAtomicLanesAscend(t *testing.T) {
	s := NewSpace(1 << 16)
	at, err := s.Alloc(8)
	require.NoError(t, err)
	old := *number(100)
	require.Nil(t, s.Atomic(tesla.AtomAdd, tesla.U32, same(at), &Data{same(3)}, nil, 0xff00ff00, &Data{&old}))
	n := uint32(0)
	for i, v := range old {
		if lane.Mask(0xff00ff00)>>i&1 == 0 {
			require.Equal(t, uint32(100+i), v, "idle lane %d", i)
			continue
		}
		require.Equal(t, n, v, "lane %d", i)
		n += 3
	}
	b, err := s.Bytes(at, 8)
	require.NoError(t, err)
	require.Equal(t, []byte{48, 0, 0, 0, 0, 0, 0, 0}, b)
}

func TestAtomicRowsMayAlias(t *testing.T) {
	s := NewSpace(1 << 16)
	at, err := s.Alloc(256)
	require.NoError(t, err)
	addr, hi := *from(at, 8), *same(0)
	// the address row receives the old value's low word and is the operand's low word
	d := &Data{&addr, &hi}
	require.Nil(t, s.Atomic(tesla.AtomAdd, tesla.U64, &addr, d, nil, lane.All, d))
	require.Equal(t, *same(0), addr)
	b, err := s.Bytes(at, 256)
	require.NoError(t, err)
	for i := range lane.Width {
		require.Equal(t, uint64(at)+uint64(8*i), le.Uint64(b[8*i:]))
	}
}

func TestAtomicNarrow(t *testing.T) {
	s := NewSpace(1 << 16)
	at, err := s.Alloc(4)
	require.NoError(t, err)
	b, err := s.Bytes(at, 4)
	require.NoError(t, err)
	copy(b, "\x80\xff\x01\x80")
	var old lane.Row
	require.Nil(t, s.Atomic(tesla.AtomAdd, tesla.S8, same(at), &Data{same(1)}, nil, 1, &Data{&old}))
	require.Equal(t, uint32(0xffffff80), old[0])
	require.Nil(t, s.Atomic(tesla.AtomAdd, tesla.U16, same(at+2), &Data{same(1)}, nil, 1, &Data{&old}))
	require.Equal(t, uint32(0x8001), old[0])
	require.Equal(t, "\x80\xff\x01\x80", string(b))
}

func TestAtomicRefuses(t *testing.T) {
	s := NewSpace(1 << 16)
	at, err := s.Alloc(64)
	require.NoError(t, err)
	one := &Data{same(1), same(1)}
	require.Equal(t, &Violation{OutOfRange, 'g', 0xffff0000, at + 64}, s.Atomic(tesla.AtomAdd, tesla.U32, from(at, 4), one, nil, lane.All, nil))
	require.Equal(t, &Violation{Misaligned, 'g', 0xa, at + 4}, s.Atomic(tesla.AtomAdd, tesla.U64, from(at, 4), one, nil, 0xf, nil))
	require.Equal(t, &Violation{Trap, 'g', 0xf0, at + 16}, s.Atomic(3, tesla.U32, from(at, 4), one, nil, 0xf0, nil))
	require.Nil(t, s.Atomic(3, tesla.U32, from(0, 4), one, nil, 0, nil))
	b, err := s.Bytes(at, 64)
	require.NoError(t, err)
	require.Equal(t, make([]byte, 64), b)
}

// TestAtomicAgainstLoadsAndStores compares random atomics over two allocations with Load,
// atomicWord and Store, one lane at a time.
func TestAtomicAgainstLoadsAndStores(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s, ref := NewSpace(1<<16), NewSpace(1<<16)
	var bases [2]uint32
	for i := range bases {
		var err error
		bases[i], err = s.Alloc(64)
		require.NoError(t, err)
		_, err = ref.Alloc(64)
		require.NoError(t, err)
	}
	for range 2000 {
		op := tesla.AtomOp(r.Uint32() % 16)
		if op == atomTrap {
			continue
		}
		typ := []tesla.Type{tesla.U32, tesla.S32, tesla.B32, tesla.U64, tesla.B64}[r.Uint32()%5]
		size := uint32(Size(typ))
		addr := rowOf(func(int) uint32 { return bases[r.Uint32()%2] + r.Uint32()%(64/size)*size })
		some := func() *lane.Row { return rowOf(func(int) uint32 { return r.Uint32() >> (r.Uint32() % 32) }) }
		a, b, got := &Data{some(), some()}, &Data{some(), some()}, &Data{some(), some()}
		m := lane.Mask(r.Uint32())
		w0, w1 := *got[0], *got[1]
		want := &Data{&w0, &w1}
		require.Nil(t, s.Atomic(op, typ, addr, a, b, m, got))
		for i := range lane.Width {
			if bit := m & (1 << i); bit != 0 {
				require.Nil(t, ref.Load(want, addr, bit, typ, nil))
				var new uint64
				if size == 4 {
					new = atomicWord(op, typ, uint64(w0[i]), uint64(a[0][i]), uint64(b[0][i]))
				} else {
					new = atomicWord(op, typ, want.double(i), a.double(i), b.double(i))
				}
				require.Nil(t, ref.Store(&Data{same(uint32(new)), same(uint32(new >> 32))}, addr, bit, typ, nil))
			}
		}
		require.Equal(t, want, got)
		for _, base := range bases {
			x, err := s.Bytes(base, 64)
			require.NoError(t, err)
			y, err := ref.Bytes(base, 64)
			require.NoError(t, err)
			require.Equal(t, y, x)
		}
	}
}

// Exchange changes memory that kernels reach, including slack, and marks it written.
func TestExchange(t *testing.T) {
	s := NewSpace(1 << 16)
	at, err := s.AllocIn(Zeros(16), 12)
	require.NoError(t, err)
	s.ForgetWritten()
	require.Zero(t, s.Exchange(at+4, tesla.B32, func(old uint64) uint64 { return old + 0x64636261 }))
	require.Zero(t, s.Exchange(at+8, tesla.B64, func(old uint64) uint64 { return old + 0x6867666564636261 }))
	require.EqualValues(t, 0x64636261, s.Exchange(at+4, tesla.B32, func(old uint64) uint64 { return old }))
	require.Equal(t, []byte("\x00\x00\x00\x00abcdabcdefgh"), s.Reach(at))
	require.True(t, s.Written(at))
}
