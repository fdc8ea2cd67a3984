package playground

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/stats"
	"jacquard/study/kerneltest"
	"jacquard/study/launch"
	"jacquard/tesla"
)

// lesson returns the state of a lesson.
func lesson(t testing.TB, name string, policies ...string) *State {
	t.Helper()
	test, err := kerneltest.Load("../../testdata/lessons/" + name + "/test.json")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(test.Dir, test.Builds[0].File))
	require.NoError(t, err)
	return &State{Test: test, Text: string(text), Policies: policies, Steps: 1000}
}

func TestCheck(t *testing.T) {
	c := lesson(t, "01-if").Check()
	require.Empty(t, c.Problems)
	require.Equal(t, []string{"branch"}, c.Kernels)
	require.Equal(t, "sm_13", c.Kernel.Arch)
	require.Nil(t, c.Kernel.Params)
	require.Equal(t, Line{"0000", "and b32 $r0 $r0 0xffff", 4}, c.Kernel.Code[0])

	c = lesson(t, "08-coalescing").Check()
	require.Empty(t, c.Problems)
	require.Equal(t, []Param{{0, 4}, {4, 4}, {8, 4}}, c.Kernel.Params)
	require.Equal(t, 4, c.Kernel.Pointer)
}

func TestCheckProblems(t *testing.T) {
	for _, c := range []struct {
		name, lesson, old, with string
		want                    Problem
	}{
		{"assembly", "01-if", "bra together", "bra nowhere", Problem{12, 6, "label nowhere is nowhere"}},
		{"PTX", "08-coalescing", "add.u32 %r4", "plus.u32 %r4", Problem{16, 2, ""}},
		{"PTX that the device lacks", "07-lock", "atom.global.exch", "atom.global.foo", Problem{19, 13, ""}},
		{"another kernel", "01-if", ".kernel branch", ".kernel other", Problem{0, 0, "the cubin has no kernel branch"}},
		{"another architecture", "01-if", "sm_13", "sm_10", Problem{0, 0, "architecture: the cubin says sm_10, the test sm_13"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := lesson(t, c.lesson)
			require.Contains(t, s.Text, c.old)
			s.Text = strings.Replace(s.Text, c.old, c.with, 1)
			got := s.Check()
			require.Nil(t, got.Kernel)
			require.Len(t, got.Problems, 1)
			p := got.Problems[0]
			require.NotEmpty(t, p.Message)
			if c.want.Message == "" {
				p.Message = ""
			}
			require.Equal(t, c.want, p)
		})
	}
	s := lesson(t, "01-if")
	s.Text = strings.NewReplacer("bra even", "bra nowhere", "bra together", "jump together").Replace(s.Text)
	require.Len(t, s.Check().Problems, 2, "every mistake is listed")
	s.Text = strings.Replace(lesson(t, "01-if").Text, ".kernel branch", ".kernel other", 1)
	require.Equal(t, []string{"other"}, s.Check().Kernels)
}

// Every lesson runs as the tool runs it: the same memory and the same counters.
func TestRunIsThatOfTheTool(t *testing.T) {
	folders, err := filepath.Glob("../../testdata/lessons/*/test.json")
	require.NoError(t, err)
	require.Len(t, folders, 10)
	for _, file := range folders {
		name := filepath.Base(filepath.Dir(file))
		for _, policy := range []string{"nvidia", "dfs"} {
			s := lesson(t, name, policy)
			r, err := s.Run(context.Background(), policy)
			require.NoError(t, err)
			j, err := launch.OfBuild(s.Test, &s.Test.Builds[0])
			require.NoError(t, err)
			path := filepath.Join(t.TempDir(), "s.json")
			result, err := launch.Run(context.Background(), knobs.Settings{Policy: policy, Stats: path}, j, io.Discard)
			file, failed := stats.Load(path)
			require.NoError(t, failed)
			for _, c := range stats.Columns() {
				require.Equal(t, *c.Of(&file.Launches[0].Stats), r.Counters[c.Name], c.Name)
			}
			if err != nil {
				require.Equal(t, err.Error(), r.Error, name)
				require.Empty(t, r.Memory)
				continue
			}
			require.Empty(t, r.Error)
			require.Equal(t, result.Launch.Transactions, r.Transactions)
			for _, b := range r.Memory {
				require.Equal(t, result.Buffers[b.Name], b.Bytes)
				require.True(t, b.Judged)
				require.Empty(t, b.Mismatch, name)
			}
		}
	}
}

func TestRunFails(t *testing.T) {
	s := lesson(t, "01-if")
	s.Test.Params[0].Expect[0] = 1
	r, err := s.Run(context.Background(), "nvidia")
	require.NoError(t, err)
	require.Equal(t, "buffer out: word 0 is 0x00000000, want 0x00000001; 1 of 32 words differ", r.Memory[0].Mismatch)

	r, err = s.Run(context.Background(), "magic")
	require.NoError(t, err)
	require.Contains(t, r.Error, `unknown value "magic"`)

	s.Text = strings.Replace(s.Text, "bra together", "bra even", 1)
	s.Text = strings.Replace(s.Text, "(e $c0) bra even", "even:", 1)
	s.Text = strings.Replace(s.Text, "\neven:\n", "\n", 1)
	s.Limit = 1000
	r, err = s.Run(context.Background(), "nvidia")
	require.NoError(t, err)
	require.Contains(t, r.Error, "kernel branch")
	require.NotEmpty(t, r.Each, "a launch that faults is counted up to there")

	s.Text = "nonsense"
	_, err = s.Run(context.Background(), "nvidia")
	require.ErrorContains(t, err, "line 1, column 1: ")

	_, err = (&State{}).Run(context.Background(), "nvidia")
	require.EqualError(t, err, "there is no kernel to run")
}

// PTX whose registers do not fit the block is compiled again for it, as the tool does.
func TestRunFits(t *testing.T) {
	const held = 48
	var text strings.Builder
	fmt.Fprintf(&text, ".version 1.4\n.target sm_13\n.entry wide(.param .u32 out) {\n\t.reg .u32 %%r<%d>;\n\tld.param.u32 %%r%d, [out];\n", held+1, held)
	for i := range held {
		fmt.Fprintf(&text, "\tld.volatile.global.u32 %%r%d, [%%r%d+%d];\n", i, held, 4*i)
	}
	for i := range held {
		fmt.Fprintf(&text, "\tst.volatile.global.u32 [%%r%d+%d], %%r%d;\n", held, 4*(held+i), i)
	}
	text.WriteString("\texit;\n}\n")
	buffer := make([]byte, 8*held)
	for i := range held {
		buffer[4*i] = byte(i)
	}
	s := OfText(text.String(), "wide.ptx", tesla.SM13, &launch.Job{
		Kernel: "wide", Grid: [2]int{1, 1}, Block: [3]int{512, 1, 1}, Params: []launch.Param{{Name: "out", Buffer: buffer}},
	})
	r, err := s.Run(context.Background(), "nvidia")
	require.NoError(t, err)
	require.Empty(t, r.Error)
	require.Equal(t, buffer[:4*held], r.Memory[0].Bytes[4*held:])
}

func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := lesson(t, "01-if").Run(ctx, "nvidia")
	require.ErrorIs(t, err, context.Canceled)
}

func TestPlay(t *testing.T) {
	s := lesson(t, "02-loop", "nvidia", "stackless")
	page, err := s.Play(context.Background())
	require.NoError(t, err)
	require.Contains(t, page, "<h1>sum</h1>")
	require.Contains(t, page, `"policy":"nvidia"`)
	require.Contains(t, page, `"policy":"stackless"`)

	data, _, err := s.record(context.Background(), "nvidia")
	require.NoError(t, err)
	page, err = (&State{Trace: base64.StdEncoding.EncodeToString(data), Steps: 10}).Play(context.Background())
	require.NoError(t, err)
	require.Contains(t, page, `"policy":"nvidia"`)

	_, err = (&State{Trace: "AAAA"}).Play(context.Background())
	require.Error(t, err)
	few := lesson(t, "08-coalescing", "nvidia")
	few.Test.Params = few.Test.Params[:1]
	_, err = few.Play(context.Background())
	require.ErrorIs(t, err, errNoStep)
	require.ErrorContains(t, err, "parameters", "it says why")
	s.Policies = []string{"nvidia", "dfs", "bfs", "mimd", "simty"}
	_, err = s.Play(context.Background())
	require.EqualError(t, err, "5 policies: a page plays up to 4")
}

// exchange has each warp read what the other wrote, and no barrier between the two.
const exchange = `.module sm_13
.kernel exchange registers=4 shared=0x120
	and b32 $r0 $r0 0xffff
	shl b32 $r1 $r0 0x2
	shl $a1 $r1 0x0
	st b32 s[$a1+0x20] $r0
	xor b32 $r2 $r1 0x80
	shl $a1 $r2 0x0
	mov b32 $r2 b32 s[$a1+0x20]
	mov b32 $r3 b32 s[0x10]
	add b32 $r3 $r3 $r1
	st b32 g14[$r3] $r2
	exit (never) nop
`

// A run finds mistakes, with the lines of the text, if it is to look for them.
func TestRunChecks(t *testing.T) {
	s := OfText(exchange, "k.s", tesla.SM13, &launch.Job{
		Kernel: "exchange", Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}, Params: []launch.Param{{Name: "out", Buffer: make([]byte, 256)}},
	})
	r, err := s.Run(context.Background(), "nvidia")
	require.NoError(t, err)
	require.Nil(t, r.Found)
	s.Checks = true
	again, err := s.Run(context.Background(), "nvidia")
	require.NoError(t, err)
	require.Len(t, again.Found, 2, "the second is a note: what the host gets is of the race")
	f := again.Found[0]
	require.Equal(t, []int{6, 9}, f.Lines)
	require.Contains(t, f.Text, "error: race read-write shared, 64 times: ")
	require.Contains(t, f.Text, ":6 in exchange: st b32 s[$a1+0x20] $r0\n")
	require.Equal(t, r.Memory, again.Memory)
	s = lesson(t, "01-if")
	s.Checks = true
	r, err = s.Run(context.Background(), "nvidia")
	require.NoError(t, err)
	require.Empty(t, r.Found)
}

// A state is the same after its way through a link.
func TestStateJSON(t *testing.T) {
	s := lesson(t, "07-lock", "nvidia")
	data, err := json.Marshal(s)
	require.NoError(t, err)
	var again State
	require.NoError(t, json.Unmarshal(data, &again))
	again.Test.Dir = s.Test.Dir
	require.Equal(t, s, &again)
	require.Equal(t, uint32(32), binary.LittleEndian.Uint32(again.Test.Params[1].Expect))
}
