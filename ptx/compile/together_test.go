package compile_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/ptxreference"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// wordKernel is a kernel k that stores a word, %r0, for each thread. %flat is the thread's number.
func wordKernel(before, code string) string {
	return ".version 8.0\n.target sm_90\n.address_size 64\n" + before + `
.entry k (.param .u64 out)
{
	.reg .b32 %r<20>, %flat, %t;
	.reg .b64 %d<9>;
	.reg .f32 %f<4>;
	.reg .pred %p<9>;
	mov.u32 %flat, %tid.y;
	mov.u32 %r0, %ntid.x;
	mov.u32 %t, %tid.x;
	mad.lo.u32 %flat, %flat, %r0, %t;
	mov.u32 %r0, 0;
` + code + `
	ld.param.u64 %d8, [out];
	mad.wide.u32 %d8, %flat, 4, %d8;
	st.global.u32 [%d8], %r0;
	ret;
}
`
}

// referenceWords runs a kernel of wordKernel in the reference.
func referenceWords(t *testing.T, text string, block [2]int) []byte {
	t.Helper()
	m, err := ptx.Parse("k.ptx", []byte(text))
	require.NoError(t, err, text)
	p, err := ptxreference.Load(m, ptxreference.Config{})
	require.NoError(t, err)
	out, bytes, err := p.Memory().Alloc(4 * block[0] * block[1])
	require.NoError(t, err)
	require.NoError(t, p.Run("k", ptxreference.Launch{Block: [3]int{block[0], block[1]},
		Params: binary.LittleEndian.AppendUint64(nil, out)}))
	return bytes
}

// machineWords runs a kernel of wordKernel as machine code.
func machineWords(t *testing.T, text string, arch tesla.Arch, block [2]int) []byte {
	t.Helper()
	bytes, err := policyWords(t, text, arch, block, "nvidia")
	require.NoError(t, err, "%s on %s", text, arch)
	return bytes
}

// policyWords is machineWords under a divergence policy.
func policyWords(t *testing.T, text string, arch tesla.Arch, block [2]int, policy string) ([]byte, error) {
	t.Helper()
	m, err := ptx.Parse("k.ptx", []byte(text))
	require.NoError(t, err, text)
	image, err := compile.Compile(m, compile.Options{Arch: arch, Verify: true})
	require.NoError(t, err, text)
	p, err := load.Program(arch, &image.Kernels[0], simt.Host{})
	require.NoError(t, err)
	space := mem.NewSpace(1 << 24)
	bytes := make([]byte, 4*block[0]*block[1])
	out, err := space.Map(bytes)
	require.NoError(t, err)
	data, err := load.Place(image, space, space.Alloc)
	require.NoError(t, err)
	_, err = simt.Run(&simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{block[0], block[1], 1},
		Params: binary.LittleEndian.AppendUint64(nil, uint64(out)), Const: data.Const(&image.Kernels[0]),
		Global: space, Policy: policy, Watchdog: 1 << 24, Workers: 1})
	return bytes, err
}

// requireWords compares both bodies, on devices from the first on.
func requireWords(t *testing.T, text string, first tesla.Arch, block [2]int) {
	t.Helper()
	want := referenceWords(t, text, block)
	for arch := first; arch <= tesla.SM13; arch++ {
		got := machineWords(t, text, arch, block)
		for i := 0; i < len(want); i += 4 {
			require.Equal(t, fmt.Sprintf("%#x", want[i:i+4]), fmt.Sprintf("%#x", got[i:i+4]),
				"thread %d of %v on %s\n%s", i/4, block, arch, text)
		}
	}
}

// across are instructions that look at other lanes. %r2 and %p0 are their operands.
var across = []string{
	"vote.ballot.b32 %r0, %p0;", "vote.sync.ballot.b32 %r0, !%p0, -1;", "activemask.b32 %r0;",
	"vote.any.pred %p1, %p0; selp.u32 %r0, 1, 2, %p1;",
	"vote.all.pred %p1, %p0; selp.u32 %r0, 1, 2, %p1;",
	"vote.sync.uni.pred %p1, %p0, -1; selp.u32 %r0, 1, 2, %p1;",
	"shfl.up.b32 %r0, %r2, 3, 0;", "shfl.down.b32 %r0, %r2, 5, 31;",
	"shfl.bfly.b32 %r0|%p1, %r2, 9, 31; @!%p1 add.u32 %r0, %r0, 1;",
	"shfl.idx.b32 %r0|%p1, %r2, 6, 0x1807; @!%p1 add.u32 %r0, %r0, 1;",
	"shfl.idx.b32 %r0, %r2, %r2, 31;", "shfl.up.b32 %r0|%p1, %r2, %r2, 0x1800; @%p1 not.b32 %r0, %r0;",
	"and.b32 %r3, %r2, 3; match.any.sync.b32 %r0, %r3, -1;",
	"match.all.sync.b32 %r0|%p1, %r2, -1; @%p1 add.u32 %r0, %r0, 1;",
	"mov.u32 %r3, 7; match.all.sync.b32 %r0|%p1, %r3, -1; @%p1 add.u32 %r0, %r0, 1;",
	"mul.wide.u32 %d0, %r2, 0x10000; and.b64 %d0, %d0, 0x300000000; match.any.sync.b64 %r0, %d0, -1;",
	"mul.wide.u32 %d0, %r2, 0x10000; and.b64 %d0, %d0, 0x300000000; match.all.sync.b64 %r0, %d0, -1;",
	"redux.sync.add.u32 %r0, %r2, -1;", "redux.sync.min.s32 %r0, %r2, -1;",
	"redux.sync.xor.b32 %r0, %r2, -1;",
}

// TestAcross runs instructions that look at other lanes, for all lanes and for some. PTX wants the
// lanes of a .sync to be active, so the mask has the active lanes.
func TestAcross(t *testing.T) {
	const operands = "mul.lo.u32 %r2, %flat, 0x9e3779b1; shr.u32 %r4, %r2, 31; setp.ne.u32 %p0, %r4, 0;\n"
	around := []string{
		"%s", "setp.lt.u32 %%p2, %%flat, 37; @%%p2 bra END; %s END:",
		"shr.u32 %%r5, %%r2, 30; setp.eq.u32 %%p2, %%r5, 2; @%%p2 bra END;\n" +
			"activemask.b32 %%r6; %s xor.b32 %%r0, %%r0, %%r6; END:",
		"shr.u32 %%r5, %%r2, 29; setp.eq.u32 %%p2, %%r5, 2; @%%p2 exit; %s",
		"and.b32 %%r7, %%flat, 3; mov.u32 %%r8, 0;\n" + // as often as each lane likes
			"AGAIN: %s add.u32 %%r2, %%r2, %%r0; add.u32 %%r8, %%r8, 1;" +
			" setp.le.u32 %%p3, %%r8, %%r7; @%%p3 bra AGAIN; mov.u32 %%r0, %%r2;",
	}
	for i, form := range around {
		for _, code := range across {
			if i > 0 {
				code = present(code)
			}
			text := wordKernel("", operands+fmt.Sprintf(form, code))
			requireWords(t, text, tesla.SM10, [2]int{[]int{64, 45, 96}[i%3], 1 + i%2})
		}
	}
}

// present sets the mask of a .sync to the active lanes.
func present(code string) string {
	before, after, ok := strings.Cut(code, ", -1;")
	if !ok {
		return code
	}
	setup, instruction := "", before
	if at := strings.LastIndex(before, "; "); at >= 0 {
		setup, instruction = before[:at+2], before[at+2:]
	}
	return setup + "activemask.b32 %r9; " + instruction + ", %r9;" + after
}

// TestReducingBarriers compares bar.red, also where warps have ended and others are diverged.
func TestReducingBarriers(t *testing.T) {
	const reduce = `
	setp.lt.u32 %p0, %flat, 41;
	bar.red.popc.u32 %r3, 0, %p0;
	bar.red.and.pred %p1, 0, %p0;
	bar.red.or.pred %p2, 1, !%p0;
	selp.u32 %r4, 1000, 2000, %p1;
	selp.u32 %r5, 10000, 20000, %p2;
	add.u32 %r0, %r3, %r4;
	add.u32 %r0, %r0, %r5;
`
	for _, before := range []string{"", "setp.gt.u32 %p3, %flat, 70; @%p3 exit;\n",
		"and.b32 %r8, %flat, 3; setp.eq.u32 %p3, %r8, 1; @%p3 bra GO; mov.u32 %r9, 5; GO:\n"} {
		for _, block := range [][2]int{{32, 1}, {40, 1}, {128, 1}, {25, 20}} {
			requireWords(t, wordKernel("", before+reduce), tesla.SM10, block)
		}
	}
}

// A block of few threads needs little shared memory, and is the largest that may run.
func TestSharedMemoryForLanes(t *testing.T) {
	text := wordKernel("", "setp.lt.u32 %p0, %flat, 41; vote.ballot.b32 %r0, %p0;")
	const most = 1<<31 - 1
	great := ".maxntid 2147483647, 2147483647, 3"
	blocks := map[string][3]int{great: {most, most, 3}, ".reqntid 64": {64, 1, 1}, ".maxntid 5, 7": {5, 7, 1}}
	for bound, want := range map[string]int{"": 16 * 32, great: 16 * 32, ".reqntid 64": 2 * 32, ".maxntid 5, 7": 2 * 32} {
		m, err := ptx.Parse("k.ptx", []byte(strings.Replace(text, "out)\n{", "out) "+bound+"\n{", 1)))
		require.NoError(t, err)
		image, err := compile.Compile(m, compile.Options{})
		require.NoError(t, err)
		require.Equal(t, 16+8+want, image.Kernels[0].Shared, bound)
		require.Equal(t, blocks[bound], image.Kernels[0].MaxThreads, bound)
	}
}

// Lanes meet after bar.warp.sync, which keeps accesses in order.
func TestWarpBarrier(t *testing.T) {
	requireWords(t, wordKernel(".shared .b32 s[64];", `
	mov.u32 %r1, s;
	mad.lo.u32 %r2, %flat, 4, %r1;
	xor.b32 %r3, %flat, 1;
	mad.lo.u32 %r3, %r3, 4, %r1;
	st.shared.u32 [%r2], %flat;
	bar.warp.sync -1;
	ld.shared.u32 %r4, [%r3];
	bar.warp.sync -1;
	st.shared.u32 [%r3], 100;
	membar.cta;
	ld.shared.u32 %r5, [%r2];
	add.u32 %r0, %r4, %r5;
`), tesla.SM10, [2]int{64, 1})
}
