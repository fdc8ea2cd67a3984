package translate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/engine/translate/host"
	"jacquard/simt/lane"
	"jacquard/simt/mem/texture"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// BenchmarkLookup times reads of textures, per warp and read: by code and by the interpreter.
func BenchmarkLookup(b *testing.B) {
	plane := texture.Texture{Kind: texture.Array, Format: texture.FormatF32, Channels: 1, Width: 512, Height: 64}
	clamped := texture.Sampler{Address: [3]texture.AddressMode{texture.Clamp, texture.Clamp}}
	wrapped := texture.Sampler{Normalized: true}
	blended := texture.Sampler{Normalized: true, Filter: true}
	for _, c := range []struct {
		name     string
		how      texture.Sampler
		format   texture.Format
		channels uint8
		step     float64 // texels between lanes
	}{
		{"nearest row", clamped, texture.FormatF32, 1, 1},
		{"nearest apart", clamped, texture.FormatF32, 1, 1.5},
		{"nearest wrapped row", wrapped, texture.FormatF32, 1, 1},
		{"nearest wrapped u8", wrapped, texture.FormatU8, 1, 1.5},
		{"nearest wrapped u8x4", wrapped, texture.FormatU8, 4, 1.5},
		{"blend row", blended, texture.FormatF32, 1, 1},
		{"blend apart", blended, texture.FormatF32, 1, 1.5},
		{"blend u8x4", blended, texture.FormatU8, 4, 1.5},
		{"blend f32x4", blended, texture.FormatF32, 4, 1.5},
	} {
		x := plane
		x.Sampler, x.Format, x.Channels = c.how, c.format, c.channels
		x.Texels = make([]byte, x.Width*x.Height*x.TexelSize())
		for _, compile := range []struct {
			name, simd string
			with       func(*program.Program) (engine.Code, error)
		}{{"avx512", "avx512", Compile}, {"avx2", "avx2", Compile}, {"interpreter", "off", interp.Compile}} {
			b.Run(c.name+"/"+compile.name, func(b *testing.B) {
				if _, err := host.Find(compile.simd); err != nil {
					b.Skip(err)
				}
				const reads = 64
				k := readingKernel(x, moveAndRead(reads, c.channels)...)
				p, err := program.Lower(k.Kernel)
				require.NoError(b, err)
				p.Kernel.Host.SIMD = compile.simd
				code, err := compile.with(p)
				require.NoError(b, err)
				s := newSide(b, k, p, code)
				for i := range lane.Width {
					u, v := 10.25+float64(i%16)*c.step, 3.5+float64(i/16)
					if c.how.Normalized {
						u, v = u/512, v/64
					}
					s.st.RegisterRow(0, 0)[i] = math.Float32bits(float32(u))
					s.st.RegisterRow(1, 0)[i] = math.Float32bits(float32(v))
				}
				n := 0
				for ; b.Loop(); n++ {
					t := engine.Turn{Lanes: lane.All, Stop: -1, Room: 1 << 20}
					if run, ok := s.eng.(engine.Runner); ok {
						run.RunOn(&t)
					} else {
						var sel lane.Sel
						sel.Full = true
						sel.Add(0, lane.All)
						s.eng.Run(&sel, 0, 3*reads)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*reads), "ns/read")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// moveAndRead returns code that copies two coordinates, and reads a texture there, several times.
func moveAndRead(times int, channels uint8) (code []tesla.Instruction) {
	reg := func(n int) tesla.Operand { return tesla.Operand{Kind: tesla.Reg, Index: uint8(n)} }
	for range times {
		for i := range 2 {
			m := tesla.Instruction{Op: tesla.OpMov, Type: tesla.U32, Dst: reg(2 + i)}
			m.Src[0] = reg(i)
			code = append(code, m)
		}
		code = append(code, tesla.Instruction{Op: tesla.OpTexAuto, Dst: reg(2), Tex: tesla.Tex{Mask: 1<<channels - 1, Coords: 2}})
	}
	for i := range code {
		code[i].Guard.Cond = tesla.CondAlways
	}
	return code
}
