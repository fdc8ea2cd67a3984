package cli

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// counting runs a program, as exec does, that says "ready", then which signals it gets, and ends
// half a second after the first.
func counting() {
	const script = `trap 'echo INT; late=1' INT; trap 'echo QUIT; late=1' QUIT; echo ready
while [ -z "$late" ]; do sleep 0.1; done; sleep 0.5; echo end`
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Stdout = os.Stdout
	if err := runProgram(cmd); err != nil {
		panic(err)
	}
	os.Exit(0)
}

// Without a terminal, only the tool passes its signals on to the program.
func TestSignalsToTheToolAlone(t *testing.T) {
	const inside = "JACQUARD_TEST_SIGNALS"
	if os.Getenv(inside) != "" {
		counting()
	}
	for signal, name := range map[syscall.Signal]string{syscall.SIGINT: "INT", syscall.SIGQUIT: "QUIT"} {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), inside+"=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		pipe, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		watch := time.AfterFunc(10*time.Second, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		defer watch.Stop()
		out := bufio.NewScanner(pipe)
		require.True(t, out.Scan())
		require.Equal(t, "ready", out.Text())
		require.NoError(t, cmd.Process.Signal(signal))
		require.True(t, out.Scan(), "the program got no signal")
		require.Equal(t, name, out.Text())
		require.True(t, out.Scan())
		require.Equal(t, "end", out.Text())
		require.NoError(t, cmd.Wait())
	}
}

// What the terminal sends reaches the whole group, so the tool passes nothing on: the program would
// get it twice.
func TestSignalsOfTheTerminal(t *testing.T) {
	p, cmd, ok := inTerminal(t, 8, 60)
	if !ok {
		counting()
	}
	p.shows(t, func(lines []string) bool { return lines[0] == "ready" })
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	time.Sleep(300 * time.Millisecond)
	require.Equal(t, []string{"ready", ""}, p.lines()[:2])
	require.NoError(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)) // as the terminal does
	lines := p.shows(t, func(lines []string) bool { return strings.Contains(strings.Join(lines, " "), "end") })
	require.Equal(t, []string{"ready", "INT", "end"}, lines[:3])
	require.NoError(t, cmd.Wait())
}
