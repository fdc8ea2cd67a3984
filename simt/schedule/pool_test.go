package schedule

import (
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// pools are a lasting pool, and none.
func pools() map[string]*Pool { return map[string]*Pool{"a pool": {}, "no pool": nil} }

// The caller and all helpers work at the same time.
func TestPoolShares(t *testing.T) {
	for name, c := range pools() {
		t.Run(name, func(t *testing.T) {
			for range 50 {
				var together sync.WaitGroup
				together.Add(4)
				var done [4]bool
				c.share(3, func(worker int) {
					together.Done()
					together.Wait()
					done[worker] = true
				})
				require.Equal(t, [4]bool{true, true, true, true}, done)
			}
		})
	}
}

// A launch whose work is done does not wait for helpers.
func TestLateHelpers(t *testing.T) {
	worked := 0
	s := &job{work: func(int) { worked++ }}
	s.close()
	s.join()
	require.Zero(t, worked)
}

// An awake helper is called before a new one is made.
func TestHelpersThatAreAwake(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	c := new(Pool)
	var h [3]helper
	for i, want := range []bool{true, true, false} { // the caller takes one processor
		require.Equal(t, want, c.enlist(&h[i]))
	}
	var s, other job
	require.Equal(t, 1, c.callAwake(&s, 1))
	require.Same(t, &s, h[1].next.Load(), "the last to come")
	require.Nil(t, h[0].next.Load())
	require.Equal(t, 1, c.callAwake(&other, 2))
	require.Same(t, &other, h[0].next.Load())
	require.Empty(t, c.awake)

	require.True(t, c.enlist(&h[2]))
	require.Nil(t, c.await(new(helper)), "in vain")
	require.Equal(t, []*helper{&h[2]}, c.awake, "the one that gave up left")
	c.delist(&h[2])
	require.Zero(t, c.callAwake(&s, 1))
}

func TestPanicsOfHelpers(t *testing.T) {
	for name, c := range pools() {
		t.Run(name, func(t *testing.T) {
			var together sync.WaitGroup
			together.Add(3)
			done := make([]bool, 3)
			work := func(worker int) {
				together.Done()
				together.Wait()
				if worker == 1 {
					panic("the second")
				}
				done[worker] = true
			}
			func() {
				defer func() { require.Contains(t, recover(), "the second\ngoroutine ") }()
				c.share(2, work)
			}()
			require.Equal(t, []bool{true, false, true}, done)
		})
	}
}

func TestCopy(t *testing.T) {
	random := make([]byte, 5*copyPiece+77)
	for i := range random {
		random[i] = byte(i * i >> 7)
	}
	for _, c := range []*Pool{nil, {all: true}} {
		for _, n := range []int{0, 1, copyPiece, 2 * copyPiece, len(random)} {
			for _, cores := range []int{1, 2, 7} {
				dst := make([]byte, len(random))
				c.Copy(dst[:n], random, cores)
				require.Equal(t, random[:n], dst[:n])
				require.Equal(t, make([]byte, len(random)-n), dst[n:])
			}
		}
		for _, by := range []int{1, 3 * copyPiece} { // blocks that overlap
			dst := slices.Clone(random)
			c.Copy(dst[by:], dst, 4)
			require.Equal(t, random[:len(random)-by], dst[by:])
			dst = slices.Clone(random)
			c.Copy(dst, dst[by:], 4)
			require.Equal(t, random[by:], dst[:len(random)-by])
		}
	}
}
