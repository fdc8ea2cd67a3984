package ptxreference

import (
	le "encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
)

func TestInitialContent(t *testing.T) {
	p := load(t, modern+`
.const .u16 c[4] = {1, 2, 3};
.global .u32 first = 5;
.global .align 8 .u64 to[3] = {first, first+4, generic(c)};
.global .f32 f = 1.5;
.func fn() { ret; }
.global .u64 pointer = fn;
.entry k() { ret; }
`, Config{})
	address, b, ok := p.Variable("first")
	require.True(t, ok)
	require.Equal(t, []byte{5, 0, 0, 0}, b)
	_, b, _ = p.Variable("to")
	require.Equal(t, address, little(b[:8]))
	require.Equal(t, address+4, little(b[8:16]))
	require.Equal(t, uint64(constWindow), little(b[16:]))
	_, b, _ = p.Variable("c")
	require.Equal(t, []byte{1, 0, 2, 0, 3, 0, 0, 0}, b)
	_, b, _ = p.Variable("f")
	require.Equal(t, f32(1.5), little(b))
	_, b, _ = p.Variable("pointer")
	require.Equal(t, uint64(functionBase), little(b))
	_, _, ok = p.Variable("none")
	require.False(t, ok)
}

func TestSpaces(t *testing.T) {
	r := words(t, kernel(modern, ".const .u32 c[2] = {3, 4};\n.global .s8 g[4] = {-1, 2, 3, 4};\n.shared .u32 s[2];", `
	.local .align 16 .b8 l[32];
	st.shared.u32 [s+4], 10;
	mov.u64 %d2, s;
	cvta.shared.u64 %d2, %d2;
	ld.u32 %r2, [%d2+4];
	isspacep.shared %p0, %d2;
	selp.u32 %r3, 100, 0, %p0;
	mov.u64 %d3, l;
	st.local.v4.u32 [%d3+16], {%r2, %r3, 1000, 5};
	cvta.local.u64 %d4, %d3;
	ld.v2.u32 {%r4, %r5}, [%d4+16];
	cvta.to.local.u64 %d5, %d4;
	ld.local.u32 %r6, [%d5+24];
	add.u32 %r0, %r4, %r5;
	add.u32 %r0, %r0, %r6;
	ld.const.u32 %r7, [c+4];
	add.u32 %r0, %r0, %r7;
	cvta.const.u64 %d6, c;
	ld.u32 %r7, [%d6];
	mad.lo.u32 %r0, %r7, 10000, %r0;
	ld.global.s8 %r8, [g];
	ld.global.u8 %r9, [g];
	add.u32 %r0, %r0, %r8;
	add.u32 %r0, %r0, %r9;`), 1, Launch{})
	require.Equal(t, uint32(10+100+1000+4+30000-1+255), r[0])
}

func TestAtomics(t *testing.T) {
	for code, want := range map[string]uint32{
		"atom.global.add.u32 %r2, [%d0], %r1;":                    5 + 0 + 1 + 2 + 3,
		"red.add.u32 [%d0], 1;":                                   9,
		"atom.global.inc.u32 %r2, [%d0], 6;":                      2, // 6 0 1 2
		"atom.global.dec.u32 %r2, [%d0], 4;":                      1, // 4 (5 > 4) 3 2 1
		"atom.global.min.s32 %r2, [%d0], -3;":                     0xfffffffd,
		"atom.global.max.u32 %r2, [%d0], %r1;":                    5,
		"atom.global.and.b32 %r2, [%d0], 4;":                      4,
		"atom.global.or.b32 %r2, [%d0], %r1;":                     7,
		"atom.global.xor.b32 %r2, [%d0], 1;":                      5,
		"atom.global.exch.b32 %r2, [%d0], %r1;":                   3,
		"add.u32 %r3, %r1, 5; atom.cas.b32 %r2, [%d0], %r3, 6;":   7,
		"add.u32 %r3, %r1, 6; atom.cas.b32 %r2, [%d0], %r1, %r3;": 5,
		"mov.f32 %f1, 0f3F800000; red.global.add.f32 [%d0], %f1;": uint32(f32(4)), // 5 is subnormal
	} {
		if strings.Contains(code, "cas.b32 %r2, [%d0], %r3, 6") {
			want = 6 // thread 0 replaces 5 by 6, thread 1 replaces 6 by 6
		}
		t.Run(code, func(t *testing.T) {
			text := kernel(modern, "", "setp.eq.u32 %p0, %r1, 0;\n@%p0 st.global.u32 [%d0], 5;\nbar.sync 0;\n"+
				code+"\nbar.sync 0; ld.global.u32 %r0, [%d0]; bar.sync 0;")
			require.Equal(t, want, words(t, text, 4, Launch{Block: [3]int{4}})[3])
		})
	}
}

func TestAtomicsOf64Bits(t *testing.T) {
	r := words(t, kernel(modern, ".shared .align 8 .u64 s;", `
	mov.u64 %d2, 0x1ffffffff;
	atom.shared.add.u64 %d3, [s], %d2;
	atom.shared.cas.b64 %d4, [s], %d2, 7;
	ld.shared.u64 %d5, [s];
	shr.u64 %d4, %d4, 32;
	add.u64 %d5, %d5, %d4;
	cvt.u32.u64 %r0, %d5;`), 1, Launch{})
	require.Equal(t, uint32(8), r[0])
}

func TestSamples(t *testing.T) {
	var got []Sample
	text := tesla + ".tex .u32 image;\n" + `.entry k(.param .u64 out)
{
	.reg .f32 %f<8>; .reg .b64 %d<3>; .reg .u32 %r<4>;
	ld.param.u64 %d0, [out];
	mov.f32 %f5, 0f3F800000; mov.f32 %f6, 0f40000000;
	tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [image, {%f5, %f6}];
	st.global.f32 [%d0], %f2;
}`
	var m Memory
	address, out, err := m.Alloc(4)
	require.NoError(t, err)
	m0 := parse(t, text)
	_, err = func() (*Program, error) {
		p, err := Load(m0, Config{})
		if err != nil {
			return nil, err
		}
		return p, p.Run("k", Launch{Params: make([]byte, 8)})
	}()
	requireKind(t, err, Unsupported, "Config.Texture")
	p, err := Load(m0, Config{Memory: &m, Texture: func(s Sample) ([4]uint64, error) {
		got = append(got, s)
		return [4]uint64{1, 2, 3, 4}, nil
	}})
	require.NoError(t, err)
	require.NoError(t, p.Run("k", Launch{Params: le.LittleEndian.AppendUint64(nil, address)}))
	require.Equal(t, uint64(3), little(out))
	require.Equal(t, []Sample{{Op: ptx.OpTex, Texture: "image", Geom: ptx.Geom2D, Type: ptx.F32,
		From: ptx.F32, Coords: []uint64{f32(1), f32(2)}}}, got)
}
