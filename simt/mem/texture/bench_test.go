package texture

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

func BenchmarkSample(b *testing.B) {
	s := mem.NewSpace(1 << 20)
	x := Texture{
		Kind: Array, Format: FormatF32, Channels: 1, Width: 32, Height: 32,
		Texels: make([]byte, 4096), Sampler: Sampler{Normalized: true},
	}
	row := rowOf(func(i int) uint32 { return math.Float32bits(float32(i) / 32) })
	at := Coords{Rows: [4]*lane.Row{row, row}}
	d := mem.Data{same(0)}
	for _, c := range []struct {
		name   string
		filter bool
	}{{"nearest", false}, {"linear", true}} {
		b.Run(c.name, func(b *testing.B) {
			how := x.Sampler
			how.Filter = c.filter
			for b.Loop() {
				x.Sample(s, &how, &at, lane.All, &d)
			}
		})
	}
}

// No read allocates.
func TestAllocations(t *testing.T) {
	space, at := block(t, 1024)
	linear := Texture{Kind: Linear, Format: FormatU8, Channels: 4, Base: at, Size: 1024}
	picture := Texture{
		Kind: Array, Format: FormatU8, Channels: 1, Width: 4, Height: 4,
		Texels: make([]byte, 16), Sampler: Sampler{Filter: true},
	}
	low := *from(0, 16)
	coords := Coords{Rows: [4]*lane.Row{&low, &low}}
	var regs [2]lane.Row
	d := mem.Data{&regs[0], nil, &regs[1]}
	for name, read := range map[string]func() *mem.Violation{
		"fetch":  func() *mem.Violation { return linear.Fetch(space, &coords, lane.All, &d) },
		"filter": func() *mem.Violation { return picture.Sample(space, &picture.Sampler, &coords, lane.All, &d) },
	} {
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if read() != nil {
				panic("refused")
			}
		}), name)
	}
}
