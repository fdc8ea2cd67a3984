package kernels

import (
	"bytes"
	"math/bits"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cmd/jacquard/internal/job"
	"jacquard/simt"
	"jacquard/simt/trace"
	"jacquard/tesla"
)

// What a launch counts can be counted again from its trace; and each lane does under every policy what it does when
// it runs alone, so the trace of one executes every instruction as often as that of the other.
func TestStatisticsAgainstTraces(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/mesa-kernels/*/test.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		test, err := job.Load(file)
		require.NoError(t, err)
		alone, _ := traced(t, test, "mimd")
		for _, policy := range []string{"nvidia", "stackless", "dwf"} {
			counted, stats := traced(t, test, policy)
			if stats == nil {
				continue
			}
			var total simt.InstructionStats
			for i := range counted {
				got, want := &counted[i], &stats.ByInstruction[i]
				require.Equal(t, want.Issues, got.Issues, "%s under %s, instruction %d", test.Name, policy, i)
				require.Equal(t, want.Active, got.Active, "%s under %s, instruction %d", test.Name, policy, i)
				require.Equal(t, want.Vetoed, got.Vetoed, "%s under %s, instruction %d", test.Name, policy, i)
				require.Equal(t, want.Threads, got.Threads, "%s under %s, instruction %d", test.Name, policy, i)
				require.Equal(t, want.Off, got.Off, "%s under %s, instruction %d", test.Name, policy, i)
				require.Equal(t, want.Branch, got.Branch, "%s under %s, instruction %d", test.Name, policy, i)
				if test.Name != "histogram" { // waits for a lock, as long as it takes
					require.Equal(t, alone[i].Threads, got.Threads, "%s: instruction %d under %s and mimd", test.Name, i, policy)
					require.Equal(t, alone[i].Branch.Threads, got.Branch.Threads, "%s: instruction %d under %s and mimd", test.Name, i, policy)
				}
				total.Issues += got.Issues
				total.Threads += got.Threads
			}
			require.Equal(t, stats.WarpInstructions, total.Issues)
			require.Equal(t, stats.ThreadInstructions, total.Threads)
		}
	}
}

// traced runs the newest build of a test with a trace, and returns what the trace holds, by instruction, and the
// statistics; nothing if the policy refuses the kernel.
func traced(t *testing.T, test *job.Test, policy string) ([]simt.InstructionStats, *simt.Stats) {
	t.Helper()
	build := &test.Builds[len(test.Builds)-1]
	l, _ := mesaLaunch(t, test, build, build.Arch)
	l.Policy = policy
	var file bytes.Buffer
	r, err := trace.NewRecorder(&file, trace.Options{}, nil)
	require.NoError(t, err)
	end := r.Attach(l)
	stats, err := simt.Run(l)
	end(err)
	require.NoError(t, r.Close())
	if refused(err) {
		return nil, nil
	}
	require.NoError(t, err)
	f, err := trace.NewFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	require.NoError(t, err)
	defer f.Close()
	require.Nil(t, f.Damage)
	k := f.Kernels[0]
	counted := make([]simt.InstructionStats, len(k.Code))
	for s, err := range f.Steps(&trace.Filter{}) {
		require.NoError(t, err)
		countStep(&counted[s.Index], k, s)
	}
	return counted, stats
}

// countStep counts an issue of a trace: as one, or as one of each warp.
func countStep(to *simt.InstructionStats, k *trace.Kernel, s *trace.Step) {
	decides := k.Decides[s.Index]
	var active, executed, took, vetoed int
	for i := range s.N {
		if s.Vetoed>>s.Warp[i]&1 != 0 {
			vetoed++
		}
		lanes := bits.OnesCount32(uint32(s.Active[i]))
		threads := bits.OnesCount32(uint32(k.Threads(s, i)))
		active, executed = active+lanes, executed+threads
		if vetoed == 0 {
			took += bits.OnesCount32(uint32(s.Executed[i]))
			to.Off += uint64(lanes - threads)
		}
		if s.Mixed && i < s.N-1 {
			continue
		}
		to.Issues++
		to.Active[active]++
		to.Threads += uint64(executed)
		to.Vetoed += uint64(vetoed)
		if decides && chooses(k.Code[s.Index].Op) && vetoed == 0 && active > 0 {
			to.Branch.Threads += uint64(took)
			switch took {
			case active:
				to.Branch.Taken++
			case 0:
				to.Branch.NotTaken++
			default:
				to.Branch.Divergent++
			}
		}
		active, executed, took, vetoed = 0, 0, 0, 0
	}
}

// chooses reports whether lanes may take an instruction or not.
func chooses(op tesla.Op) bool {
	return op == tesla.OpBra || op == tesla.OpBreak || op == tesla.OpRet
}
