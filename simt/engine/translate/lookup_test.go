package translate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/conformance/random"
	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/engine/translate/host"
	"jacquard/simt/lane"
	"jacquard/simt/mem/texture"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// tally counts the instructions that the interpreter executes.
type tally struct {
	engine.Engine
	runs int
}

func (c *tally) Run(s *lane.Sel, from, to int) int {
	c.runs++
	return c.Engine.Run(s, from, to)
}

var textureShapes = []struct {
	name string
	texture.Texture
}{
	{"linear", texture.Texture{Kind: texture.Linear, Base: random.Base + 16, Size: 120}},
	{"pitched", texture.Texture{Kind: texture.Pitched, Base: random.Base + 16, Width: 5, Height: 3, Pitch: 104}},
	{"line", texture.Texture{Kind: texture.Array, Width: 49}}, // 49 * (1 / 49) is less than 1
	{"plane", texture.Texture{Kind: texture.Array, Width: 40, Height: 3}},
	{"volume", texture.Texture{Kind: texture.Array, Width: 4, Height: 3, Depth: 2}},
	{"layered line", texture.Texture{Kind: texture.Array, Width: 6, Depth: 3, Layered: true}},
	{"layered plane", texture.Texture{Kind: texture.Array, Width: 6, Height: 2, Depth: 3, Layered: true}},
}

var textureFormats = []texture.Format{
	texture.FormatU8, texture.FormatS8, texture.FormatU16, texture.FormatS16, texture.FormatU32, texture.FormatS32, texture.FormatF32,
}

// eachLevel runs a test for each set of vector instructions.
func eachLevel(t *testing.T, test func(t *testing.T, simd string)) {
	for _, simd := range []string{"avx512", "avx2"} {
		t.Run(simd, func(t *testing.T) {
			if _, err := host.Find(simd); err != nil {
				t.Skip(err)
			}
			test(t, simd)
		})
	}
}

// Translated code reads textures of all kinds as the interpreter does.
func TestLookups(t *testing.T) { eachLevel(t, testLookups) }

func testLookups(t *testing.T, simd string) {
	for _, shape := range textureShapes {
		t.Run(shape.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(31, 7))
			fast, all := 0, 0
			for _, f := range textureFormats {
				for n := range 3 * 2 * 2 * 4 * 4 {
					x := shape.Texture
					x.Format, x.Channels, x.Integer = f, 1<<(n%3), n/3%2 != 0
					x.Filter, x.Normalized = n/6%2 != 0, r.IntN(3) != 0
					for k := range x.Address {
						x.Address[k] = texture.AddressMode((n/12 + k*r.IntN(4)) % 4)
					}
					l := newLookupTest(t, r, x, simd)
					for range 4 {
						all++
						if l.randomly(t, r) {
							fast++
						}
					}
				}
			}
			t.Logf("%d of %d were read by code", fast, all)
			require.Greater(t, fast, all/3)
		})
	}
}

// Translated code divides integers by their greatest value as the interpreter does.
func TestLookupFractions(t *testing.T) { eachLevel(t, testLookupFractions) }

func testLookupFractions(t *testing.T, simd string) {
	for _, f := range []texture.Format{texture.FormatU8, texture.FormatS8, texture.FormatU16, texture.FormatS16} {
		x := texture.Texture{Kind: texture.Array, Width: 256 << (8 * (f.Size() - 1)), Format: f, Channels: 1}
		x.Filter = true // not of integer coordinates
		l := newLookupTest(t, rand.New(rand.NewPCG(1, 1)), x, simd)
		for i := range x.Width {
			for b := range f.Size() {
				l.x.Texels[i*f.Size()+b] = byte(i >> (8 * b))
			}
		}
		for at := 0; at < x.Width; at += lane.Width {
			fast := l.read(t, lane.All, func(_, i int) uint32 { return math.Float32bits(float32(at+i) + 0.5) })
			require.True(t, fast)
		}
	}
}

// Coordinates of idle lanes do not matter.
func TestLookupIdle(t *testing.T) { eachLevel(t, testLookupIdle) }

func testLookupIdle(t *testing.T, simd string) {
	x := texture.Texture{Kind: texture.Array, Width: 8, Height: 4, Format: texture.FormatF32, Channels: 1}
	for _, x.Filter = range []bool{false, true} {
		l := newLookupTest(t, rand.New(rand.NewPCG(1, 1)), x, simd)
		fast := l.read(t, 0x10, func(_, i int) uint32 {
			if i == 4 {
				return math.Float32bits(1.5)
			}
			return math.Float32bits(float32(math.NaN()))
		})
		require.True(t, fast)
	}
}

// lookupTest is a kernel that reads a texture, on two engines.
type lookupTest struct {
	x    texture.Texture
	p    *program.Program
	in   *tesla.Instruction
	a, b *side  // the interpreter, and translated code
	runs *tally // of the engine with translated code
}

// newLookupTest makes a kernel whose instruction and texels are random.
func newLookupTest(t *testing.T, r *rand.Rand, x texture.Texture, simd string) *lookupTest {
	k := readingKernel(x, randomRead(r, &x))
	data := k.Memory
	if x.Kind == texture.Array {
		data = make([]byte, x.Width*max(x.Height, 1)*max(x.Depth, 1)*x.TexelSize())
		x.Texels = data
		k.Textures[0] = x
	}
	randomTexels(r, data, x.Format == texture.FormatF32)
	p, err := program.Lower(k.Kernel)
	require.NoError(t, err)
	p.Kernel.Host.SIMD = simd
	want, err := interp.Compile(p)
	require.NoError(t, err)
	got, err := CompileHot(p)
	require.NoError(t, err)
	l := &lookupTest{x: x, p: p, in: p.Code[0].Ins, a: newSide(t, k, p, want), b: newSide(t, k, p, got)}
	e := l.b.eng.(*Engine)
	l.runs = &tally{Engine: e.Engine}
	e.Engine = l.runs
	l.randomly(t, r) // the first read is the interpreter's
	return l
}

// randomly reads the texture at random coordinates, and reports whether translated code did.
func (l *lookupTest) randomly(t *testing.T, r *rand.Rand) (fast bool) {
	tame, row, first := r.IntN(4) != 0, r.IntN(4) == 0, r.Float64()
	extents := []int{max(l.x.Width, 1), max(l.x.Height, 1), max(l.x.Depth, 1), 1}
	layer := 3
	if l.x.Kind == texture.Linear {
		extents[0] = int(l.x.Size) / l.x.TexelSize()
	}
	if l.x.Layered {
		layer = 2
		if l.x.Height == 0 {
			layer, extents[1] = 1, l.x.Depth
		}
	}
	m := lane.All
	if r.IntN(3) == 0 {
		m = max(lane.Mask(r.Uint32()), 1)
	}
	flags := lane.Flags{Z: lane.Mask(r.Uint32()), S: lane.Mask(r.Uint32())}
	l.a.st.Flags[0][0], l.b.st.Flags[0][0] = flags, flags
	return l.read(t, m, func(k, i int) uint32 {
		switch {
		case l.in.Op != tesla.OpTexFetch && k != layer && row && k == 0:
			return coordinateOf(l.x.Normalized, extents[k], first+float64(i))
		case l.in.Op != tesla.OpTexFetch && k != layer && row:
			return coordinateOf(l.x.Normalized, extents[k], first)
		case l.in.Op != tesla.OpTexFetch && k != layer:
			return randomCoordinate(r, l.x.Normalized, extents[k], tame)
		case row && k == 0:
			return uint32(i)
		case !tame && r.IntN(9) == 0:
			return r.Uint32()
		}
		return uint32(r.IntN(extents[k]+6) - 3)
	})
}

// read reads the texture at the lanes' coordinates, and reports whether translated code did.
func (l *lookupTest) read(t *testing.T, m lane.Mask, coordinate func(k, i int) uint32) (fast bool) {
	var before string
	for n := range l.p.Kernel.Registers {
		a, b := l.a.st.RegisterRow(n, 0), l.b.st.RegisterRow(n, 0)
		if k := n - int(l.in.Dst.Index); k >= 0 && k < 4 {
			for i := range a {
				a[i] = coordinate(k, i)
			}
			before += fmt.Sprintf("coordinate %d: %08x\n", k, *a)
		}
		*b = *a
	}
	ta := engine.Turn{Lanes: m, Stop: -1, Room: 1 << 20}
	tb := ta
	l.runs.runs = 0
	runOn(l.a, l.p, &ta)
	l.b.eng.(engine.Runner).RunOn(&tb)
	require.Equal(t, ta, tb)
	require.Nil(t, l.a.st.Caught())
	require.Nil(t, l.b.st.Caught())
	for n := range l.p.Kernel.Registers {
		if a, b := l.a.st.RegisterRow(n, 0), l.b.st.RegisterRow(n, 0); *a != *b {
			require.Failf(t, "texels differ", "register %d of %v, lanes %08x\n%08x\n%08x\n%+v\n%+v\n%s", n, l.in, uint32(m), *a, *b, l.x, l.in.Tex, before)
		}
	}
	require.Equal(t, l.a.st.Counts.Off, l.b.st.Counts.Off)
	require.Equal(t, l.a.st.Counts.Issues, l.b.st.Counts.Issues)
	return l.runs.runs == 0
}

// Translated code keeps an instruction's stride through a texture, for one launch.
func TestLookupStride(t *testing.T) {
	eachLevel(t, func(t *testing.T, simd string) {
		x := texture.Texture{Kind: texture.Array, Width: 64, Height: 32, Format: texture.FormatF32, Channels: 1}
		r := rand.New(rand.NewPCG(5, 6))
		l := newLookupTest(t, r, x, simd)
		for l.in.Op != tesla.OpTexFetch || l.p.Code[0].Guarded {
			l = newLookupTest(t, r, x, simd)
		}
		row := func(y int) (fast bool) {
			return l.read(t, lane.All, func(k, i int) uint32 { return uint32([]int{16 + i, y, 0, 0}[k]) })
		}
		e := l.b.eng.(*Engine)
		kept := &e.views[0].walk
		const pitch = 4 * 64
		for y := 9; y < 12; y++ {
			require.True(t, row(y))
		}
		first := kept.last - 11*pitch
		require.Equal(t, stride{first + 11*pitch, pitch, pitch}, *kept)
		require.True(t, row(15))
		require.Equal(t, stride{first + 15*pitch, 4 * pitch, pitch}, *kept, "a distance met once")
		require.True(t, row(19))
		require.Equal(t, stride{first + 19*pitch, 4 * pitch, 4 * pitch}, *kept, "met twice")
		l.b.st.Grid.Launch++
		require.False(t, row(9), "the first read of a launch is the interpreter's")
		require.Zero(t, *kept)
	})
}
