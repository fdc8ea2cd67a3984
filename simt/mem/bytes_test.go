package mem

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

// TestRuns compares the code for consecutive elements with the code lane by lane.
func TestRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	some := func() (d Data) {
		for i := range d {
			d[i] = rowOf(func(int) uint32 { return r.Uint32() })
		}
		return d
	}
	for sh := byteU; sh <= quad; sh++ {
		data := make([]byte, 1024)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		const base = 4096
		addr := from(base+16, sh.size())
		got, want := some(), Data{}
		for i := range want {
			row := *got[i]
			want[i] = &row
		}
		load(&got, data, base, addr, lane.All, sh, contiguous)
		gather(&want, data, base, addr, lane.All, sh)
		require.Equal(t, want, got, "load of shape %d", sh)

		left, right := append([]byte{}, data...), append([]byte{}, data...)
		src := some()
		store(&src, left, base, addr, lane.All, sh, contiguous)
		scatter(&src, right, base, addr, lane.All, sh)
		require.Equal(t, right, left, "store of shape %d", sh)
		require.NotEqual(t, data, left)
	}
}

func BenchmarkRuns(b *testing.B) {
	data := make([]byte, 1024)
	var d Data
	for i := range d {
		d[i] = new(lane.Row)
	}
	for _, c := range []struct {
		name string
		sh   shape
	}{{"u8", byteU}, {"b32", word}, {"b64", double}, {"b128", quad}} {
		addr := from(0, c.sh.size())
		for _, p := range []struct {
			name string
			p    pattern
		}{{"run", contiguous}, {"scattered", scattered}} {
			b.Run("load/"+c.name+"/"+p.name, func(b *testing.B) {
				for b.Loop() {
					load(&d, data, 0, addr, lane.All, c.sh, p.p)
				}
			})
			b.Run("store/"+c.name+"/"+p.name, func(b *testing.B) {
				for b.Loop() {
					store(&d, data, 0, addr, lane.All, c.sh, p.p)
				}
			})
		}
	}
}
