package programs_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/study/programs"
)

// shell returns a command that runs a script.
func shell(script string, env ...string) programs.Command {
	return func(ctx context.Context) (*exec.Cmd, error) {
		c := exec.CommandContext(ctx, "/bin/sh", "-c", script)
		c.Env = append(os.Environ(), env...)
		return c, nil
	}
}

// launch is a line of shell that summarises a launch.
func launch(kernel, instructions, seconds string) string {
	return `echo '{"event":"launch","kernel":"` + kernel + `","warp_instructions":` + instructions +
		`,"seconds":'` + seconds + `'}' >> $JACQUARD_SUMMARY` + "\n"
}

func TestRun(t *testing.T) {
	ctx := t.Context()
	r := programs.Run(ctx, time.Minute, shell(launch("k", "5", "1")+"echo PASSED"))
	require.Equal(t, programs.Passed, r.Verdict, r.Reason)
	require.Len(t, r.Launches, 1)
	require.Positive(t, r.Elapsed)

	// Launches before the program's end by the limit are kept. Its child ends, too.
	alive := filepath.Join(t.TempDir(), "alive")
	r = programs.Run(ctx, 200*time.Millisecond, shell(launch("k", "5", "1")+"(sleep 1; touch "+alive+") & sleep 60"))
	require.True(t, r.Late)
	require.Equal(t, "takes longer than 200ms", r.Reason)
	require.Len(t, r.Launches, 1)
	time.Sleep(time.Second)
	require.NoFileExists(t, alive)

	r = programs.Run(ctx, time.Minute, shell("echo nonsense > $JACQUARD_SUMMARY"))
	require.Equal(t, programs.Failed, r.Verdict)
	require.Contains(t, r.Reason, "summary: ")
	r = programs.Run(ctx, time.Minute, func(context.Context) (*exec.Cmd, error) { return nil, os.ErrNotExist })
	require.Equal(t, programs.Absent, r.Verdict)
	require.Equal(t, os.ErrNotExist.Error(), r.Reason)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	require.False(t, programs.Run(ended, time.Minute, shell("sleep 60")).Late)
}

// scripts are programs. The old build takes twice as long as the new, one worker half as long again.
var scripts = map[string]string{
	"good": `case $BUILD$W in old2) s=4;; new2) s=2;; old1) s=6;; new1) s=3;; esac` + "\n" +
		launch("quick", "30000000", "$s") + launch("slow", "3000000", "$s") + "echo PASSED",
	"late": launch("k", "8000000", "1") + `[ $W = 2 ] && ` + launch("k", "8000000", "1") + "sleep 60",
	"tiny": launch("k", "99", "1"),
	"lost": launch("k", "8000000", "1") + "[ $BUILD = old ] || echo FAILED",
	"idle": "echo PASSED",
	"GL":   "echo $0: error while loading shared libraries: libglut.so.3: cannot open; exit 127",
}

func TestBench(t *testing.T) {
	b := programs.Bench{Rounds: 1, Limit: time.Second}
	for _, workers := range []int{2, 1} {
		for _, build := range []string{"old", "new"} {
			b.Ways = append(b.Ways, programs.Way{Build: build, Workers: workers})
		}
	}
	var said []string
	b.Progress = func(what string) { said = append(said, what) }
	b.Command = func(name string, w programs.Way) programs.Command {
		return shell(scripts[name], "BUILD="+w.Build, "W="+string(rune('0'+w.Workers)))
	}
	var out strings.Builder
	var table programs.Table
	for _, name := range []string{"good", "late", "tiny", "lost", "idle", "GL"} {
		table.Add(b.Measure(t.Context(), name))
	}
	require.Equal(t, "good, 2 workers, old", said[0])
	require.Equal(t, "good, 1 worker, new", said[3])
	require.NoError(t, table.Write(&out))
	_, text, _ := strings.Cut(out.String(), "\n")
	require.Equal(t, `program launches warp instr 2 workers, old 2 workers, new ratio 1 worker, old 1 worker, new ratio seconds slowest kernel its rate
good 2 33000000 4.1 8.2 2.000 2.8 5.5 2.000 4.00 slow 1.5
late * 1 8000000 8.0 8.0 1.000 8.0 8.0 1.000 1.00
geometric mean 5.7 8.1 1.414 4.7 6.6 1.414
sum of seconds 9.0 5.0 1.800 13.0 7.0 1.857

* The limit ended the program.

Not measured:

- tiny: only 99 warp-instructions
- lost: with 2 workers, new: failed: its own check fails
- idle: its summary has no launches
- GL: cannot start: needs libglut.so.3
`, unaligned(text))
}

// unaligned returns the lines of a table with one space between words.
func unaligned(table string) string {
	lines := strings.Split(table, "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}

// The fastest of several rounds counts, way by way.
func TestRounds(t *testing.T) {
	count := filepath.Join(t.TempDir(), "count")
	script := "echo >> " + count + "\nn=$(wc -l < " + count + "); case $n in 1) s=5;; 2) s=3;; *) s=7;; esac\n" +
		launch("k", "8000000", "$s") + "echo PASSED"
	b := programs.Bench{
		Ways: []programs.Way{{Workers: 1}}, Rounds: 3, Limit: time.Minute, Progress: func(string) {},
		Command: func(string, programs.Way) programs.Command { return shell(script) },
	}
	row := b.Measure(t.Context(), "k")
	require.Empty(t, row.Reason)
	require.InEpsilon(t, 3, row.Ways[0].Seconds, 1e-9)
	var out strings.Builder
	table := programs.Table{Markdown: true}
	table.Add(row)
	require.NoError(t, table.Write(&out))
	require.Contains(t, out.String(), "| program | launches | warp instr | 1 worker | seconds | slowest kernel | its rate |\n")
	require.Contains(t, out.String(), "| k | 1 | 8000000 | 2.7 | 3.00 |  |  |\n")
}
