package ptxreference

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func f32(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }
func f64(x float64) uint64 { return math.Float64bits(x) }

const (
	nan32 = 0x7fffffff
	nan64 = 0xfff8000000000000 // of an invalid operation
	inf32 = 0x7f800000
	least = 0x00800000 // the smallest normal number
	tiny  = 0x00000001
)

func TestFloat(t *testing.T) {
	third := f32(1.0 / 3)
	check(t, modern, []row{
		{"add.f32 %f0, %f1, %f2;", in(f32(1), f32(2)), f32(3)},
		{"add.rz.f32 %f0, %f1, %f2;", in(f32(1), f32(-0x1p-40)), 0x3f7fffff},
		{"add.rp.f32 %f0, %f1, %f2;", in(f32(1), f32(0x1p-40)), 0x3f800001},
		{"add.rm.f32 %f0, %f1, %f2;", in(f32(1), f32(-1)), 0x80000000},
		{"add.rn.f32 %f0, %f1, %f2;", in(f32(1), f32(-1)), 0},
		{"add.f32 %f0, %f1, %f2;", in(inf32, inf32|1<<31), nan32},
		{"add.f32 %f0, %f1, %f2;", in(0xffc00001, 0), nan32},
		{"add.f32 %f0, %f1, %f2;", in(tiny, tiny), 2},
		{"add.ftz.f32 %f0, %f1, %f2;", in(tiny, 0x80000001), 0},
		{"add.ftz.f32 %f0, %f1, %f2;", in(least, 0x80c00000), 0x80000000},
		{"add.sat.f32 %f0, %f1, %f2;", in(f32(1), f32(2)), f32(1)},
		{"add.sat.f32 %f0, %f1, %f2;", in(f32(-1), f32(-2)), 0},
		{"add.sat.f32 %f0, %f1, %f2;", in(0x7fc00000, f32(-2)), 0},
		{"sub.f32 %f0, %f1, %f2;", in(f32(1), f32(2)), f32(-1)},
		{"mul.rz.f32 %f0, %f1, %f2;", in(f32(3e38), f32(10)), 0x7f7fffff},
		{"mul.f32 %f0, %f1, %f2;", in(f32(3e38), f32(10)), inf32},
		{"mul.f32 %f0, %f1, %f2;", in(f32(-0x1p-100), f32(0x1p-49)), 0x80000001},
		{"mul.ftz.f32 %f0, %f1, %f2;", in(f32(-0x1p-100), f32(0x1p-49)), 0x80000000},
		{"fma.rn.f32 %f0, %f1, %f2, %f3;", in(f32(1+0x1p-23), f32(1+0x1p-23), f32(-1)), f32(0x1p-22 + 0x1p-46)},
		{"fma.rp.f32 %f0, %f1, %f2, %f3;", in(f32(1+0x1p-12), f32(1+0x1p-12), f32(0)), f32(1 + 0x1p-11 + 0x1p-23)},
		{"mad.rn.f32 %f0, %f1, %f2, %f3;", in(f32(1+0x1p-23), f32(1+0x1p-23), f32(-1)), f32(0x1p-22 + 0x1p-46)},
		{"div.rn.f32 %f0, %f1, %f2;", in(f32(1), f32(3)), third},
		{"div.rm.f32 %f0, %f1, %f2;", in(f32(1), f32(3)), third - 1},
		{"div.rn.f32 %f0, %f1, %f2;", in(f32(1), 0x80000000), inf32 | 1<<31},
		{"div.rn.f32 %f0, %f1, %f2;", in(0, 0), nan32},
		{"div.full.f32 %f0, %f1, %f2;", in(f32(1), f32(3)), third},
		{"div.approx.f32 %f0, %f1, %f2;", in(f32(1), f32(0x1p127)), 0},
		{"div.approx.f32 %f0, %f1, %f2;", in(inf32, f32(0x1p127)), nan32},
		{"rcp.rn.f32 %f0, %f1;", in(f32(3)), third},
		{"rcp.approx.f32 %f0, %f1;", in(f32(4)), f32(0.25)},
		{"rcp.approx.ftz.f32 %f0, %f1;", in(tiny), inf32},
		{"sqrt.rn.f32 %f0, %f1;", in(f32(2)), f32(math.Sqrt2)},
		{"sqrt.rn.f32 %f0, %f1;", in(f32(-2)), nan32},
		{"sqrt.rp.f32 %f0, %f1;", in(0x80000000), 0x80000000},
		{"sqrt.approx.f32 %f0, %f1;", in(f32(9)), f32(3)},
		{"rsqrt.approx.f32 %f0, %f1;", in(f32(16)), f32(0.25)},
		{"sin.approx.f32 %f0, %f1;", in(f32(0.5)), f32(math.Sin(0.5))},
		{"cos.approx.f32 %f0, %f1;", in(0), f32(1)},
		{"lg2.approx.f32 %f0, %f1;", in(f32(8)), f32(3)},
		{"ex2.approx.ftz.f32 %f0, %f1;", in(f32(-149)), 0},
		{"ex2.approx.f32 %f0, %f1;", in(f32(-149)), tiny},
		{"ex2.approx.f32 %f0, %f1;", in(0xffffffff), nan32},
		{"min.f32 %f0, %f1, %f2;", in(0x80000000, 0), 0x80000000},
		{"min.f32 %f0, %f1, %f2;", in(0, 0x80000000), 0x80000000},
		{"max.f32 %f0, %f1, %f2;", in(0x80000000, 0), 0},
		{"max.f32 %f0, %f1, %f2;", in(0x7fc00000, f32(-3)), f32(-3)},
		{"max.NaN.f32 %f0, %f1, %f2;", in(0x7fc00000, f32(-3)), nan32},
		{"min.f32 %f0, %f1, %f2;", in(0x7fc00000, 0x7fc00000), nan32},
		{"min.ftz.f32 %f0, %f1, %f2;", in(0x80000001, f32(3)), 0x80000000},
		{"min.xorsign.abs.f32 %f0, %f1, %f2;", in(f32(-3), f32(2)), f32(-2)},
		{"abs.f32 %f0, %f1;", in(f32(-3)), f32(3)},
		{"neg.f32 %f0, %f1;", in(0), 0x80000000},
		{"neg.ftz.f32 %f0, %f1;", in(tiny), 0x80000000},
		{"copysign.f32 %f0, %f1, %f2;", in(f32(-3), f32(2)), f32(-2)},
		{"testp.subnormal.f32 %p0, %f1;", in(tiny), 1},
		{"testp.normal.f32 %p0, %f1;", in(0), 1},
		{"testp.normal.f32 %p0, %f1;", in(tiny), 0},
		{"testp.normal.f64 %p0, %g1;", in(1 << 63), 1},
		{"testp.finite.f32 %p0, %f1;", in(inf32), 0},
		{"testp.notanumber.f64 %p0, %g1;", in(nan64), 1},
		{"testp.infinite.f64 %p0, %g1;", in(f64(math.Inf(-1))), 1},
		{"add.f16 %h0, %h1, %h2;", in(0x3c00, 0x3c00), 0x4000},
		{"mul.f16x2 %r0, %r1, %r2;", in(0x40003c00, 0x40004200), 0x44004200},
		{"fma.rn.f16 %h0, %h1, %h2, %h3;", in(0x7bff, 0x4000, 0), 0x7c00},
		{"neg.f16x2 %r0, %r1;", in(0x3c00bc00), 0xbc003c00},
		// Rounded to f64 before, each would be a tie.
		{"fma.rn.bf16 %h0, %h1, %h2, %h3;", in(0x7e83, 0x3fc0, 1), 0x7ec5},
		{"fma.rn.bf16 %h0, %h1, %h2, %h3;", in(0x7e81, 0x3fc0, 0x8001), 0x7ec1},
		{"fma.rn.relu.f16 %h0, %h1, %h2, %h3;", in(0x3c00, 0xbc00, 0), 0},
		{"fma.rn.relu.f16 %h0, %h1, %h2, %h3;", in(0x7c00, 0, 0), 0x7fff},
		{"fma.rn.sat.f16 %h0, %h1, %h2, %h3;", in(0x7c00, 0, 0), 0},
		{"mul.rn.f16 %h0, %h1, %h2;", in(0x0400, 0x3800), 0x0200},
		{"mul.rn.ftz.f16 %h0, %h1, %h2;", in(0x0400, 0xb800), 0x8000},
		{"mul.rn.ftz.f16 %h0, %h1, %h2;", in(0x0400, 0x3bff), 0x0400},
		{"add.bf16 %h0, %h1, %h2;", in(0x0080, 0x8001), 0x007f},
		{"abs.bf16 %h0, %h1;", in(0xffc1), 0x7fc1},
		{"max.NaN.bf16x2 %r0, %r1, %r2;", in(0x3f807fc0, 0x3f810000), 0x3f817fff},
		{"min.xorsign.abs.f16 %h0, %h1, %h2;", in(0xc000, 0x3c00), 0xbc00},
		{"ex2.approx.f16 %h0, %h1;", in(0xc980), 0x1000},
		{"tanh.approx.bf16 %h0, %h1;", in(0x7f80), 0x3f80},
		{"add.rn.f32.bf16 %f0, %h1, %f2;", in(0x3f80, f32(2)), f32(3)},
		{"fma.rz.f32.f16 %f0, %h1, %h2, %f3;", in(0x3c00, 0x4000, f32(-0x1p-40)), 0x3fffffff},
	})
}

func TestDouble(t *testing.T) {
	check(t, modern, []row{
		{"add.f64 %g0, %g1, %g2;", in(f64(1), f64(2)), f64(3)},
		{"add.rp.f64 %g0, %g1, %g2;", in(f64(1), f64(0x1p-80)), f64(1 + 0x1p-52)},
		{"sub.rz.f64 %g0, %g1, %g2;", in(f64(1), f64(0x1p-80)), f64(1 - 0x1p-53)},
		{"mul.f64 %g0, %g1, %g2;", in(f64(0x1p-600), f64(0x1p-474)), 1},
		{"mul.rm.f64 %g0, %g1, %g2;", in(f64(-0x1p-600), f64(0x1p-600)), 1<<63 | 1},
		{"fma.rn.f64 %g0, %g1, %g2, %g3;", in(f64(1+0x1p-52), f64(1+0x1p-52), f64(-1)), f64(0x1p-51 + 0x1p-104)},
		{"mad.rz.f64 %g0, %g1, %g2, %g3;", in(f64(1+0x1p-52), f64(1+0x1p-52), f64(0)), f64(1 + 0x1p-51)},
		{"div.rn.f64 %g0, %g1, %g2;", in(f64(1), f64(3)), f64(1.0 / 3)},
		{"rcp.rp.f64 %g0, %g1;", in(f64(3)), f64(1.0/3) + 1},
		{"sqrt.rn.f64 %g0, %g1;", in(f64(2)), f64(math.Sqrt2)},
		{"rsqrt.approx.f64 %g0, %g1;", in(f64(4)), f64(0.5)},
		{"rcp.approx.ftz.f64 %g0, %g1;", in(f64(4)), f64(0.25)},
		{"rcp.approx.ftz.f64 %g0, %g1;", in(f64(-0x1p1023)), 1 << 63},
		{"rcp.approx.ftz.f64 %g0, %g1;", in(0x7ff0000000000001), 0x7fffffff00000000},
		{"rsqrt.approx.ftz.f64 %g0, %g1;", in(f64(4) + 1), f64(0.5)},
		{"rsqrt.approx.ftz.f64 %g0, %g1;", in(f64(-0x1p-1030)), 0xfff0000000000000},
		{"rsqrt.approx.ftz.f64 %g0, %g1;", in(f64(-1)), 0x7fffffff00000000},
		{"min.f64 %g0, %g1, %g2;", in(f64(4), nan64), f64(4)},
		{"max.f64 %g0, %g1, %g2;", in(f64(4), f64(5)), f64(5)},
		{"abs.f64 %g0, %g1;", in(f64(-4)), f64(4)},
		{"neg.f64 %g0, %g1;", in(f64(-4)), f64(4)},
		{"sub.f64 %g0, %g1, %g2;", in(f64(math.Inf(1)), f64(math.Inf(1))), nan64},
		{"add.f64 %g0, %g1, %g2;", in(f64(1), 0x7ff0000000000001), 0x7ff8000000000001},
		{"mul.f64 %g0, %g1, %g2;", in(0x7ff8000000000002, 0xfff8000000000001), 0xfff8000000000001},
	})
}

// On sm_1x f32 has no subnormal numbers, and mad is not fused.
func TestTesla(t *testing.T) {
	check(t, tesla, []row{
		{"add.f32 %f0, %f1, %f2;", in(tiny, tiny), 0},
		{"mul.f32 %f0, %f1, %f2;", in(f32(-0x1p-100), f32(0x1p-49)), 0x80000000},
		{"mad.f32 %f0, %f1, %f2, %f3;", in(f32(1+0x1p-23), f32(1+0x1p-23), f32(-1)), f32(0x1p-22)},
		{"mad.sat.f32 %f0, %f1, %f2, %f3;", in(f32(3), f32(3), f32(-1)), f32(1)},
		{"mad.rn.f64 %g0, %g1, %g2, %g3;", in(f64(1+0x1p-52), f64(1+0x1p-52), f64(-1)), f64(0x1p-51 + 0x1p-104)},
		{"neg.f32 %f0, %f1;", in(tiny), 0x80000000},
		{"setp.eq.f32 %p0, %f1, %f2;", in(tiny, 0), 1},
		{"div.full.f32 %f0, %f1, %f2;", in(tiny, f32(1)), 0},
		{"cvt.f64.f32 %g0, %f1;", in(tiny), f64(0x1p-149)},
		{"cvt.rn.f32.f64 %f0, %g1;", in(f64(0x1p-149)), tiny},
		{"cvt.f32.f32 %f0, %f1;", in(tiny), 0},
	})
	check(t, ".version 1.5\n.target sm_13\n", []row{
		{"cvt.f64.f32 %g0, %f1;", in(tiny), 0},
		{"cvt.rn.f32.f64 %f0, %g1;", in(f64(0x1p-149)), 0},
	})
	check(t, ".version 1.2\n.target sm_10\n", []row{
		{"div.f32 %f0, %f1, %f2;", in(f32(6), f32(3)), f32(2)},
		{"rcp.f32 %f0, %f1;", in(f32(4)), f32(0.25)},
	})
}

func TestDemotedDouble(t *testing.T) {
	check(t, ".version 1.4\n.target sm_10, map_f64_to_f32\n", []row{
		{"add.f64 %g0, %g1, %g2;", in(f32(1), f32(2)), f32(3)},
		{"add.f64 %g0, %g1, 0d3FF8000000000000;", in(f32(1)), f32(2.5)},
		{"mov.f64 %g0, 0d3FF8000000000000;", nil, f32(1.5)},
		{"cvt.f64.f32 %g0, %f1;", in(f32(7)), f32(7)},
		{"cvt.rn.f32.f64 %f0, %g1;", in(f32(7)), f32(7)},
		{"cvt.rn.f64.s32 %g0, %r1;", in(m32), f32(-1)},
		{"cvt.rzi.s32.f64 %r0, %g1;", in(f32(-2.5)), 0xfffffffe},
		{"setp.lt.f64 %p0, %g1, %g2;", in(f32(-1), f32(2)), 1},
		{"selp.f64 %g0, 0d4000000000000000, 0d3FF0000000000000, %p1;", in(0), f32(1)},
		{"div.rn.f64 %g0, %g1, %g2;", in(f32(6), f32(2)), f32(3)},
		{"sqrt.rn.f64 %g0, %g1;", in(f32(16)), f32(4)},
		{"mad.rn.f64 %g0, %g1, %g2, %g3;", in(f32(1+0x1p-23), f32(1+0x1p-23), f32(-1)), f32(0x1p-22)},
		{"set.gt.u32.f64 %r0, %g1, %g2;", in(f32(3), f32(2)), m32},
		{"slct.f64.f32 %g0, %g1, 0d4000000000000000, %f3;", in(1, 0, f32(-1)), f32(2)},
	})
}

func TestCompare(t *testing.T) {
	n := uint64(nan32)
	check(t, modern, []row{
		{"setp.ltu.bf16 %p0, %h1, %h2;", in(1, 2), 1},
		{"setp.gt.f16x2 %p1|%p0, %r1, %r2;", in(0x3c000000, 0x3c00), 1},
		{"set.le.f16x2.f16x2 %r0, %r1, %r2;", in(0x3c007e00, 0x3c000000), 0x3c000000},
		{"set.eq.u32.f16x2 %r0, %r1, %r2;", in(0x80003c00, 0), 0xffff0000},
		{"setp.lt.s32 %p0, %r1, %r2;", in(m32, 1), 1},
		{"setp.lt.u32 %p0, %r1, %r2;", in(m32, 1), 0},
		{"setp.hi.u32 %p0, %r1, %r2;", in(m32, 1), 1},
		{"setp.ls.u64 %p0, %d1, %d2;", in(1, 1), 1},
		{"setp.lo.u16 %p0, %h1, %h2;", in(1, 2), 1},
		{"setp.hs.u16 %p0, %h1, %h2;", in(1, 2), 0},
		{"setp.ge.s64 %p0, %d1, %d2;", in(m64, 0), 0},
		{"setp.ne.b32 %p0, %r1, %r2;", in(1, 0), 1},
		{"setp.lt.and.s32 %p0, %r1, %r2, %p3;", in(0, 1, 0), 0},
		{"setp.lt.or.s32 %p0, %r1, %r2, !%p3;", in(1, 0, 0), 1},
		{"setp.lt.xor.s32 %p0|%p5, %r1, %r2, %p3;", in(0, 1, 1), 0},
		{"setp.lt.and.s32 %p5|%p0, %r1, %r2, %p3;", in(1, 0, 1), 1},
		{"setp.eq.f32 %p0, %f1, %f2;", in(0x80000000, 0), 1},
		{"setp.eq.f32 %p0, %f1, %f2;", in(n, n), 0},
		{"setp.ne.f32 %p0, %f1, %f2;", in(n, n), 0},
		{"setp.neu.f32 %p0, %f1, %f2;", in(n, n), 1},
		{"setp.ltu.f32 %p0, %f1, %f2;", in(n, 0), 1},
		{"setp.gtu.f32 %p0, %f1, %f2;", in(0, f32(1)), 0},
		{"setp.num.f32 %p0, %f1, %f2;", in(0, n), 0},
		{"setp.nan.f32 %p0, %f1, %f2;", in(0, n), 1},
		{"setp.gt.f32 %p0, %f1, %f2;", in(tiny, 0), 1},
		{"setp.gt.ftz.f32 %p0, %f1, %f2;", in(tiny, 0), 0},
		{"setp.le.f64 %p0, %g1, %g2;", in(f64(-2), f64(-1)), 1},
		{"set.lt.u32.s32 %r0, %r1, %r2;", in(m32, 1), m32},
		{"set.lt.f32.s32 %f0, %r1, %r2;", in(m32, 1), f32(1)},
		{"set.eq.s32.f32 %r0, %f1, %f2;", in(f32(2), f32(1)), 0},
		{"set.gt.or.u32.f32 %r0, %f1, %f2, %p3;", in(f32(1), f32(2), 1), m32},
	})
}

func TestConvert(t *testing.T) {
	check(t, modern, []row{
		{"cvt.s32.s8 %r0, %r1;", in(0x180), 0xffffff80},
		{"cvt.u32.u8 %r0, %r1;", in(0x180), 0x80},
		{"cvt.s8.s32 %r0, %r1;", in(0x180), 0xffffff80},
		{"cvt.sat.s8.s32 %r0, %r1;", in(0x180), 0x7f},
		{"cvt.sat.u8.s32 %r0, %r1;", in(m32), 0},
		{"cvt.sat.u32.s64 %r0, %d1;", in(1 << 40), m32},
		{"cvt.sat.s32.u32 %r0, %r1;", in(m32), 0x7fffffff},
		{"cvt.s64.s32 %d0, %r1;", in(m32), m64},
		{"cvt.u64.u32 %d0, %r1;", in(m32), m32},
		{"cvt.s64.u32 %d0, %r1;", in(m32), m32},
		{"cvt.u16.u32 %h0, %r1;", in(0x12345678), 0x5678},
		{"cvt.rn.f32.s32 %f0, %r1;", in(0x7fffffff), f32(0x1p31)},
		{"cvt.rz.f32.s32 %f0, %r1;", in(0x7fffffff), 0x4effffff},
		{"cvt.rm.f32.s32 %f0, %r1;", in(0x80000001), f32(-0x1p31)},
		{"cvt.rn.f32.u32 %f0, %r1;", in(m32), f32(0x1p32)},
		{"cvt.rp.f32.u64 %f0, %d1;", in(1<<40 + 1), f32(0x1p40) + 1},
		{"cvt.rn.f64.u64 %g0, %d1;", in(m64), f64(0x1p64)},
		{"cvt.rn.f64.s64 %g0, %d1;", in(m64), f64(-1)},
		{"cvt.rn.f16.s32 %h0, %r1;", in(65520), 0x7c00},
		{"cvt.rn.f32.s8 %f0, %r1;", in(0xff), f32(-1)},
		{"cvt.rni.s32.f32 %r0, %f1;", in(f32(2.5)), 2},
		{"cvt.rzi.s32.f32 %r0, %f1;", in(f32(-2.5)), 0xfffffffe},
		{"cvt.rmi.s32.f32 %r0, %f1;", in(f32(-2.5)), 0xfffffffd},
		{"cvt.rpi.s32.f32 %r0, %f1;", in(f32(2.1)), 3},
		{"cvt.rpi.s32.f32 %r0, %f1;", in(tiny), 1},
		{"cvt.rpi.ftz.s32.f32 %r0, %f1;", in(tiny), 0},
		{"cvt.rzi.u32.f32 %r0, %f1;", in(f32(-5)), 0},
		{"cvt.rzi.u32.f32 %r0, %f1;", in(f32(1e20)), m32},
		{"cvt.rzi.s32.f32 %r0, %f1;", in(inf32 | 1<<31), 0x80000000},
		{"cvt.rzi.s32.f32 %r0, %f1;", in(nan32), 0},
		{"cvt.rzi.s64.f32 %d0, %f1;", in(nan32), 1 << 63},
		{"cvt.rzi.u32.f64 %r0, %g1;", in(nan64), 0x80000000},
		{"cvt.rzi.s64.f64 %d0, %g1;", in(f64(-0x1p70)), 1 << 63},
		{"cvt.rzi.u64.f64 %d0, %g1;", in(f64(0x1p63 * 1.5)), 3 << 62},
		{"cvt.rzi.s8.f32 %r0, %f1;", in(f32(-300)), 0xffffff80},
		{"cvt.rzi.u8.f32 %r0, %f1;", in(f32(300)), 255},
		{"cvt.rzi.s16.f32 %h0, %f1;", in(f32(40000)), 0x7fff},
		{"cvt.f64.f32 %g0, %f1;", in(f32(1.5)), f64(1.5)},
		{"cvt.f64.f32 %g0, %f1;", in(tiny), f64(0x1p-149)},
		{"cvt.f64.f32 %g0, %f1;", in(0xff800001), 0xfff8000020000000},
		{"cvt.rn.f32.f64 %f0, %g1;", in(f64(1 + 0x1p-24)), f32(1)},
		{"cvt.rp.f32.f64 %f0, %g1;", in(f64(1 + 0x1p-24)), 0x3f800001},
		{"cvt.rn.f32.f64 %f0, %g1;", in(f64(1e300)), inf32},
		{"cvt.rz.f32.f64 %f0, %g1;", in(f64(1e300)), 0x7f7fffff},
		{"cvt.rn.ftz.f32.f64 %f0, %g1;", in(f64(0x1p-140)), 0},
		{"cvt.rni.f32.f32 %f0, %f1;", in(f32(-0.5)), 0x80000000},
		{"cvt.f32.f32 %f0, %f1;", in(tiny), tiny},
		{"cvt.sat.f32.f32 %f0, %f1;", in(tiny), tiny},
		{"cvt.ftz.f32.f32 %f0, %f1;", in(tiny), 0},
		{"cvt.rpi.f32.f32 %f0, %f1;", in(f32(1.25)), f32(2)},
		{"cvt.rmi.f64.f64 %g0, %g1;", in(f64(-1.25)), f64(-2)},
		{"cvt.sat.f32.f32 %f0, %f1;", in(f32(-7)), 0},
		{"cvt.sat.f32.f32 %f0, %f1;", in(nan32), 0},
		{"cvt.rn.f16.f32 %h0, %f1;", in(f32(1)), 0x3c00},
		{"cvt.f32.f16 %f0, %h1;", in(1), f32(0x1p-24)},
		{"cvt.f32.f16 %f0, %h1;", in(0xfe00), nan32},
		{"cvt.rn.bf16.f32 %h0, %f1;", in(f32(1.5)), 0x3fc0},
		{"cvt.rn.f16x2.f32 %r0, %f1, %f2;", in(f32(1), f32(2)), 0x3c004000},
		{"cvt.rn.relu.bf16x2.f32 %r0, %f1, %f2;", in(f32(-1), 0x7f800001), 0x7fff},
		{"cvt.rn.bf16.s64 %h0, %d1;", in(0x4040000000000001), 0x5e81},
		{"cvt.rn.f16.f64 %h0, %d1;", in(f64(1 + 0x1p-11 + 0x1p-50)), 0x3c01},
		{"cvt.f32.bf16 %f0, %h1;", in(0xff81), 0xff810000},
		{"cvt.rpi.s32.bf16 %r0, %h1;", in(1), 1},
	})
}

func TestApproxIsTheCallers(t *testing.T) {
	p := load(t, modern+".entry k(){ .reg .f32 %f<3>; mov.f32 %f1, 0f40000000; sin.approx.f32 %f0, %f1;\n"+
		"st.global.f32 [2147483648], %f0; ret; }", Config{Approx: fixed{}})
	out := make([]byte, 4)
	require.NoError(t, p.Memory().Map(resultAt, out))
	require.NoError(t, p.Run("k", Launch{}))
	require.Equal(t, uint64(0x1234567), little(out))
}

type fixed struct{ Accurate }

func (fixed) Sin(uint32) uint32 { return 0x1234567 }
