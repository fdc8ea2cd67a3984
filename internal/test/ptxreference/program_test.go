package ptxreference

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestControlFlow(t *testing.T) {
	// Collatz: threads of a warp leave the loop at different times.
	r := bothWays(t, kernel(modern, "", `
	mov.u32 %r0, 0;
	add.u32 %r2, %r1, 1;
again:
	setp.eq.u32 %p0, %r2, 1;
	@%p0 bra done;
	and.b32 %r3, %r2, 1;
	setp.eq.u32 %p1, %r3, 1;
	@%p1 bra odd;
	shr.u32 %r2, %r2, 1;
	bra.uni next;
odd:
	mad.lo.u32 %r2, %r2, 3, 1;
next:
	add.u32 %r0, %r0, 1;
	bra again;
done:`), 40, Launch{Block: [3]int{40}})
	require.Equal(t, []uint32{0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4}, r[:16])
	require.Equal(t, uint32(111), r[26])
}

func TestIndexedBranch(t *testing.T) {
	text := kernel(modern, "", `
	mov.u32 %r0, 9;
	bra start;
zero:
	mov.u32 %r0, 10;
	bra end;
one:
	mov.u32 %r0, 11;
	bra end;
start:
targets: .branchtargets zero, one, end;
	brx.idx %r1, targets;
end:`)
	require.Equal(t, []uint32{10, 11, 9}, bothWays(t, text, 3, Launch{Block: [3]int{3}}))
	_, err := tryWords(t, text, 4, Launch{Block: [3]int{4}})
	requireKind(t, err, Fault, "target 3 of 3")
}

func TestErrorsOfThreads(t *testing.T) {
	for code, want := range map[string]struct {
		kind Kind
		text string
	}{
		"again: bra again;":                 {StepLimit, "more than 1000 instructions"},
		"trap;":                             {Trapped, "test.ptx:15:2: trap: trap (block [0 0 0], thread [0 0 0])"},
		"ld.global.u32 %r0, [64];":          {Fault, "4 bytes at global address 0x40"},
		"ld.global.u32 %r0, [%d1+2];":       {Fault, "misaligned"},
		"ld.shared.u32 %r0, [16];":          {Fault, "shared address 0x10"},
		"ld.local.u32 %r0, [1024];":         {Fault, "local address"},
		"st.global.u32 [%d1+4000], 1;":      {Fault, "global address"},
		"bar.sync 16;":                      {Fault, "barrier 16"},
		"bar.sync 1, 33;":                   {Fault, "no warps"},
		"bar.warp.sync 2;":                  {Fault, "lane 0 is not in the mask 0x2"},
		"mov.u64 %d2, 99; call %d2, (), p;": {Fault, "call of address 0x63"},
	} {
		t.Run(code, func(t *testing.T) {
			if strings.Contains(code, "call") {
				code = "p: .callprototype ()_ ();\n" + code
			}
			_, err := tryWords(t, kernel(modern, "", "\t"+code), 1, Launch{StepLimit: 1000})
			requireKind(t, err, want.kind, want.text)
		})
	}
}

func TestUnsupportedIsFoundBeforeTheRun(t *testing.T) {
	text := kernel(modern, ".func other() { trap; }\n.global .texref s;\n"+
		".func unused() { .reg .b32 %x; txq.width.b32 %x, [s]; ret; }\n", "\tcall other;")
	_, err := tryWords(t, text, 1, Launch{})
	requireKind(t, err, Trapped, "trap")
	text = strings.Replace(text, "call other;", "call unused;", 1)
	_, err = tryWords(t, text, 1, Launch{})
	requireKind(t, err, Unsupported, "test.ptx:6:")
	_, err = tryWords(t, kernel(modern, ".extern .global .u32 away;", "\tld.global.u32 %r0, [away];"), 1, Launch{})
	requireKind(t, err, Unsupported, "away")
	_, err = tryWords(t, kernel(modern, ".extern .func away;", "\tcall away;"), 1, Launch{})
	requireKind(t, err, Unsupported, "away")
}

func TestBadLaunches(t *testing.T) {
	p := load(t, kernel(modern, "", ""), Config{})
	requireKind(t, p.Run("x", Launch{}), BadLaunch, `no kernel "x"`)
	requireKind(t, p.Run("k", Launch{}), BadLaunch, "0 bytes of parameters instead of 8")
	for _, l := range []Launch{{Block: [3]int{32, 32, 2}}, {Grid: [3]int{-1}}, {Shared: -1}, {Block: [3]int{2000}}} {
		l.Params = make([]byte, 8)
		requireKind(t, p.Run("k", l), BadLaunch, "")
	}
	params, size, err := p.Params("k")
	require.NoError(t, err)
	require.Equal(t, 8, size)
	require.Equal(t, []Param{{"out", 0, 8}}, params)
}
