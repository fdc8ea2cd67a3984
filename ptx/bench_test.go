package ptx

import (
	"strings"
	"testing"
)

// benchmarkText is a kernel of 10,000 lines.
func benchmarkText() []byte {
	const loop = `	.loc 1 5 0
	ld.global.f32 %f1, [%rd1+4];
	mad.lo.s32 %r1, %r2, %r3, 17;
	setp.lt.u32 %p1, %r1, 0x100;
	@%p1 bra $Lt_0_1;
	cvt.rn.f32.s32 %f2, %r1;
	fma.rn.f32 %f3, %f1, %f2, 0f3F800000;
	st.shared.f32 [%rd2], %f3;
	add.u64 %rd1, %rd1, 4;
	bar.sync 0;
`
	return []byte(".version 3.0 .target sm_20 .address_size 64 .entry k { .reg .u32 %r<9>;\n" +
		".reg .f32 %f<9>; .reg .u64 %rd<9>; .reg .pred %p<3>;\n$Lt_0_1:\n" +
		strings.Repeat(loop, 1000) + "exit; }\n")
}

func BenchmarkParse10000Lines(b *testing.B) {
	text := benchmarkText()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("", text); err != nil {
			b.Fatal(err)
		}
	}
}
