package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"jacquard/board/mirror"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
)

// inTerminal runs a test again in a process whose controlling terminal is a pseudo-terminal of this
// size, and returns the terminal; ok is false in that process.
func inTerminal(t *testing.T, rows, columns int) (p *pty, cmd *exec.Cmd, ok bool) {
	t.Helper()
	const inside = "JACQUARD_TEST_TERMINAL"
	if os.Getenv(inside) != "" {
		return nil, nil, false
	}
	p = newPTY(t, rows, columns)
	cmd = exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), inside+"=1", "TERM=xterm", "JACQUARD_PROGRESS=")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.slave, p.slave, p.slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	return p, cmd, true
}

// A program's output is unchanged, wherever the cursor is, and the line stands in the last row.
func TestStatusBesideProgram(t *testing.T) {
	for _, before := range []int{0, 3, 20} { // lines on the screen
		t.Run(fmt.Sprint(before), func(t *testing.T) {
			s := &status{}
			screen := newScreen(6, 20)
			terminal, err := os.Create(filepath.Join(t.TempDir(), "out"))
			require.NoError(t, err)
			defer terminal.Close()
			s.terminal = terminal
			done := int64(0)
			shown := func() []string { // output since
				data := make([]byte, 1<<12)
				n, _ := terminal.ReadAt(data, done)
				done += int64(n)
				screen.write(strings.ReplaceAll(string(data[:n]), "\n", "\r\n"))
				var lines []string
				for _, row := range screen.cells {
					lines = append(lines, strings.TrimRight(string(row), " "))
				}
				return lines
			}
			var want []string
			say := func(line string) {
				fmt.Fprintln(terminal, line)
				want = append(want, line)
			}
			for i := range before {
				say(fmt.Sprintf("before %d", i))
			}
			fmt.Fprint(terminal, "half a ")
			shown()
			s.inLastRow("status 1", 6)
			require.Equal(t, "status 1", shown()[5])
			say("line")
			want[len(want)-1] = "half a line"
			for i := range 9 {
				say(fmt.Sprintf("after %d", i))
				if i == 4 {
					s.inLastRow("status 2", 6)
				}
			}
			lines := shown()
			require.Equal(t, "status 2", lines[5])
			require.Equal(t, want[len(want)-4:], lines[:4])
			s.remove()
			say("end")
			lines = shown()
			require.Equal(t, append(want[len(want)-5:], ""), lines, "nothing is left of the line")
			say("scrolls")
			say("again")
			require.Equal(t, want[len(want)-5:], shown()[:5])
		})
	}
}

// On a terminal, a long kernel shows blocks, and Ctrl-C leaves nothing of the line.
func TestGaugeOfRun(t *testing.T) {
	p, cmd, ok := inTerminal(t, 8, 60)
	if !ok {
		os.Exit(Main([]string{"run", "../../../../testdata/c/endless.cubin", "--grid", "3"}, Streams{os.Stdin, os.Stdout, os.Stderr}))
	}
	lines := p.shows(t, func(lines []string) bool { return strings.Contains(lines[0], "3 blocks") })
	require.Regexp(t, `^0 of 3 blocks \(\d+s\) of endless$`, lines[0])
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	require.Error(t, cmd.Wait())
	lines = p.shows(t, func(lines []string) bool {
		return strings.Contains(strings.Join(lines, ""), "CUDA_ERROR_LAUNCH_TIMEOUT")
	})
	require.NotContains(t, strings.Join(lines, "\n"), "blocks")
	require.True(t, strings.HasPrefix(lines[0], "jacquard: interrupted in kernel endless"), "%q", lines)
}

// On a terminal, the table of a comparison fits, and its columns are explained.
func TestCompareOnTerminal(t *testing.T) {
	p, cmd, ok := inTerminal(t, 40, 60)
	if !ok {
		os.Exit(Main([]string{"compare", "--policies", "nvidia,chap", "--test", "../../../../testdata/mesa-kernels/calls"}, Streams{os.Stdin, os.Stdout, os.Stderr}))
	}
	require.NoError(t, cmd.Wait())
	lines := p.shows(t, func(lines []string) bool {
		return strings.Contains(strings.Join(lines, ""), "left out at 60 characters")
	})
	require.Regexp(t, `^kernel +policy +issues +lanes .* memory$`, lines[0])
	require.Regexp(t, `^calls +nvidia +1056 +14\.81 .* same$`, lines[1])
	require.Regexp(t, `^calls +chap +- .* refused$`, lines[2])
	require.Contains(t, lines[4]+lines[5], "calls under chap: refused: it has no stack")
	require.Contains(t, lines, "  lanes    mean of active lanes")
}

// On a terminal, the rows of kernels fit: long names are cut.
func TestKernelsOnTerminal(t *testing.T) {
	p := newPTY(t, 10, 110)
	long := events.Launch{Kernel: "_Z31bisectKernelLarge_MultIntervalsPfS_jPjS0_S_S_S0_S0_S0_f", WarpInstructions: 2947809800, ThreadInstructions: 74774346100, Seconds: 12.107}
	require.NoError(t, printKernels(p.slave, &events.Record{Launches: []events.Launch{long}}))
	lines := p.shows(t, func(lines []string) bool { return strings.Contains(lines[1], "12.107s") })
	require.Contains(t, lines[1], "  _Z31bisectKern…  ")
	require.Empty(t, lines[2])
}

// Nothing is drawn where no terminal is, or where the user says so.
func TestNoGauge(t *testing.T) {
	c := &cobra.Command{}
	pipe := newStream(new(strings.Builder))
	c.SetErr(pipe)
	require.Nil(t, newGauge(c, knobs.Settings{}, false))
	progress(c, "half")
	require.Empty(t, pipe.raw.(*strings.Builder).String())

	terminal := newStream(newPTY(t, 8, 60).slave)
	t.Setenv("TERM", "xterm")
	terminal.status = newStatus(terminalOf(t, terminal))
	c.SetErr(terminal)
	for _, off := range []string{knobs.ProgressOff, "file.jsonl"} {
		require.Nil(t, newGauge(c, knobs.Settings{Progress: off}, false))
	}
	g := newGauge(c, knobs.Settings{}, false)
	require.NotNil(t, g)
	path := g.knob("")
	require.FileExists(t, path)
	g.end()
	g.end()
	require.NoFileExists(t, path)

	t.Setenv("TERM", "dumb")
	terminal.status = newStatus(terminalOf(t, terminal))
	require.Nil(t, newGauge(c, knobs.Settings{}, false))
}

func terminalOf(t *testing.T, s *stream) *os.File {
	t.Helper()
	f := terminal(s)
	require.NotNil(t, f)
	return f
}

// A cross-check that was killed says how far it came.
func TestKilledCrosscheck(t *testing.T) {
	report := mirror.Report{PID: 7, Launches: 12, Compared: 10}
	require.EqualError(t, judge([]mirror.Report{report}, "p", 130), "p (process 7) was killed, or left by _exit: no difference up to launch 12, 10 of them ran on both")
}
