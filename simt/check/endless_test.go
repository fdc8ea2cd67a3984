package check_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/simt/source"
	"jacquard/tesla"
)

// waitKernels are kernels that wait for ever, and what Sync says. Each instruction has its number as
// its line.
var waitKernels = map[string]struct {
	policy, code, want string
}{
	"two barriers, none of which can open": {"nvidia", `
shr u32 $r1 $r0 0x5
set $c0 # e s32 $r1 $r124
(lg $c0) bra 0x28
bar inc wait 0x0 0xfff
bra 0x30
bar inc wait 0x1 0xfff
nop {exit}`,
		`different at k.cu:3 32: warps of a block wait at different barriers, none of which can open
barrier k.cu:3 (0,0).1:ffffffff
barrier k.cu:5 (0,0).0:ffffffff`},
	"lanes at two barriers, none of which can open": {"stackless", `
and b32 $r1 $r0 0x1
set $c0 # e s32 $r1 $r124
(lg $c0) bra 0x28
bar inc wait 0x0 0xfff
bra 0x30
bar inc wait 0x1 0xfff
nop {exit}`,
		`divergent at k.cu:3 32: some lanes of a warp come to a barrier, and the others do not wait there
barrier k.cu:3 (0,0).0:aaaaaaaa (0,0).1:aaaaaaaa
barrier k.cu:5 (0,0).0:55555555 (0,0).1:55555555`},
	"the holder of a lock waits at a barrier": {"nvidia", `
and b32 $r1 $r0 0x1f
set $c0 # lg s32 $r1 $r124
mov b32 $r2 b32 s[0x10]
mov b32 $r3 0x1
joinat 0x38
(lg $c0) bra 0x38
exch b32 $r4 g14[$r2] $r3
join set $c1 # lg s32 $r4 $r124
joinat 0x60
(lg $c0) bra 0x60
(lg $c1) bra 0x30
nop
join nop
bar inc wait 0x0 0xfff
nop {exit}`,
		`endless at k.cu:9 32: a wait that never ends: the same state every 6 rounds: warp 1 lanes ffffffff at pc 0x48; ` +
			`policy never lets run or frees: warp 0 lanes ffffffff; no lane starves under divergence policy bfs or volta
wait k.cu:9 (0,0).1:ffffffff
holder k.cu:6 (0,0).0:00000001
barrier k.cu:13 (0,0).0:ffffffff`},
}

// told returns a finding as text.
func told(f *check.Finding) string {
	var b strings.Builder
	line := func(s *check.Site) string { return fmt.Sprintf("%s:%d", s.Stack[0].File, s.Stack[0].Line) }
	fmt.Fprintf(&b, "%s at %s %d: %s", f.What, line(&f.At), f.Count, f.Text)
	for _, s := range append([]check.Site{f.At}, f.With...) {
		fmt.Fprintf(&b, "\n%s %s", s.Role, line(&s))
		for _, t := range s.Where {
			fmt.Fprintf(&b, " (%d,%d).%d:%08x", t.Block[0], t.Block[1], t.Warp, uint32(t.Lanes))
		}
	}
	return b.String()
}

// Barriers that cannot open and waits without end are findings, with all places.
func TestSyncFaults(t *testing.T) {
	for name, tt := range waitKernels {
		t.Run(name, func(t *testing.T) {
			var lines []string
			for line := range strings.Lines(strings.TrimSpace(tt.code)) {
				if line = strings.TrimSpace(line); !strings.Contains(line, "bra") && !strings.Contains(line, "joinat") {
					line += " {long}"
				}
				lines = append(lines, strings.Replace(line, "{exit} {long}", "{exit}", 1))
			}
			img, err := asm.Read(".module sm_13 abi=1 name=m\n.kernel k registers=8 shared=0 local=0 barriers=2\n" + strings.Join(lines, "\n") + "\n")
			require.NoError(t, err)
			p, err := simt.Lower(program.Kernel{
				Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, img.Kernels[0].Code), Registers: 8, Shared: 0x40,
				Source: func(pc uint32) source.Line { return source.Line{File: "k.cu", Line: int(pc / 8)} },
			})
			require.NoError(t, err)
			space := mem.NewSpace(1 << 20)
			word, err := space.Alloc(4)
			require.NoError(t, err)
			var list []string
			_, err = simt.Run(&simt.Launch{
				Program: p, Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}, Global: space, Policy: tt.policy,
				Params: binary.LittleEndian.AppendUint32(nil, word), InStep: simt.InStepOff,
				Checker: &check.Sync{Found: func(f check.Finding) { list = append(list, told(&f)) }},
			})
			require.Error(t, err)
			require.Equal(t, []string{tt.want}, list)
		})
	}
}
