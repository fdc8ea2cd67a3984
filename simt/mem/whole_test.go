package mem

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// wholeRounds is how often each side of a race accesses memory: for some milliseconds.
const wholeRounds = 40_000

// placements are ways that the lanes of a warp share 32 elements.
var placements = map[string]struct {
	at func(i uint32) uint32
	m  lane.Mask
}{
	"contiguous": {func(i uint32) uint32 { return i }, lane.All},
	"scattered":  {func(i uint32) uint32 { return i * 13 % 32 }, lane.All},
	"broadcast":  {func(i uint32) uint32 { return 5 }, lane.All},
	"shared":     {func(i uint32) uint32 { return i / 3 }, lane.All},
	"masked":     {func(i uint32) uint32 { return i }, 0x9f3a7c51},
	"one lane":   {func(i uint32) uint32 { return i }, 1 << 9},
}

// repeated is a word of equal bytes.
func repeated(n int) uint32 { return uint32(n) % 256 * 0x01010101 }

// torn returns an error if the bytes of an element have several values.
func torn(e Element, size int) error {
	for n := range size {
		if byte(e[n/4]>>(n%4*8)) != byte(e[0]) {
			return fmt.Errorf("%d bytes: %x", size, e)
		}
	}
	return nil
}

// An element that one worker stores while another loads it is the old one or the new one, whole.
func TestWhole(t *testing.T) {
	for typ, size := range map[tesla.Type]int{tesla.U16: 2, tesla.B32: 4, tesla.B64: 8, tesla.B128: 16} {
		for name, x := range placements {
			t.Run(fmt.Sprintf("%d bytes, %s", size, name), func(t *testing.T) {
				s := NewSpace(1 << 16)
				base, err := s.Alloc(uint64(32 * size))
				require.NoError(t, err)
				var at lane.Row
				for i := range at {
					at[i] = base + x.at(uint32(i))*uint32(size)
				}
				race(t, func(n int) error {
					v := same(repeated(n))
					s.Store(&Data{v, v, v, v}, &at, x.m, typ, nil)
					return nil
				}, func(int) error {
					d := Data{new(lane.Row), new(lane.Row), new(lane.Row), new(lane.Row)}
					s.Load(&d, &at, x.m, typ, nil)
					for i := range lane.Width {
						if err := torn(Element{d[0][i], d[1][i], d[2][i], d[3][i]}, size); err != nil {
							return err
						}
					}
					return nil
				})
			})
		}
		t.Run(fmt.Sprintf("%d bytes, alone", size), func(t *testing.T) {
			s := NewSpace(1 << 16)
			at, err := s.Alloc(16)
			require.NoError(t, err)
			race(t, func(n int) error {
				v := repeated(n)
				s.Write(at, typ, Element{v, v, v, v})
				return nil
			}, func(int) error { return torn(s.Read(at, typ), size) })
		})
	}
}

// race runs two functions at the same time, with ascending numbers, until one fails.
func race(t *testing.T, f, g func(n int) error) {
	var both sync.WaitGroup
	var started atomic.Int32
	var failed [2]error
	for i, f := range []func(int) error{f, g} {
		both.Go(func() {
			for started.Add(1); started.Load() < 2; { // both have a core
			}
			for n := 0; n < wholeRounds && failed[i] == nil; n++ {
				failed[i] = f(n)
			}
		})
	}
	both.Wait()
	require.NoError(t, errors.Join(failed[:]...))
}

// A store that frees a lock is not lost among the atomics of lanes that try to take it.
func TestAtomicsLoseNoStore(t *testing.T) {
	for name, take := range map[string]struct {
		op   tesla.AtomOp
		a, b uint32
	}{"exch": {tesla.AtomExch, 1, 0}, "cas": {tesla.AtomCas, 0, 1}, "or": {tesla.AtomOr, 1, 0}, "max": {tesla.AtomMax, 1, 0}} {
		for _, typ := range []tesla.Type{tesla.U32, tesla.U64} {
			if typ == tesla.U64 && take.op != tesla.AtomExch && take.op != tesla.AtomCas {
				continue
			}
			t.Run(fmt.Sprint(name, " ", 8*Size(typ)), func(t *testing.T) {
				s := NewSpace(1 << 16)
				lock, err := s.Alloc(8)
				require.NoError(t, err)
				count := 0
				add := func(int) error {
					ret := Data{new(lane.Row), new(lane.Row)}
					for tries := 0; ; tries++ {
						s.Atomic(take.op, typ, same(lock), &Data{same(take.a), same(0)}, &Data{same(take.b), same(0)}, 1, &ret)
						if ret[0][0] == 0 {
							break
						}
						if tries > 1<<24 {
							return errors.New("the lock stays taken")
						}
					}
					count++
					s.Store(&Data{same(0), same(0)}, same(lock), 1, typ, nil)
					return nil
				}
				race(t, add, add)
				require.Equal(t, 2*wholeRounds, count)
			})
		}
	}
}

// Memory begins where elements of every size are whole.
func TestZeros(t *testing.T) {
	for n := range 300 {
		b := Zeros(n)
		require.Len(t, b, n)
		require.Equal(t, n, cap(b))
		require.Zero(t, uintptr(unsafe.Pointer(unsafe.SliceData(b)))%wholeBytes)
	}
}
