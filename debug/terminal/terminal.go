package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"jacquard/debug"
	"jacquard/internal/plain"
	"jacquard/simt/check"
)

// Terminal is a session of a user.
type Terminal struct {
	Program debug.Program
	In      io.Reader
	Out     io.Writer
	Prompt  bool // print a prompt, and do not print the commands
	Source  Source
	Checks  check.Set // what the program is checked for

	// OnInterrupt calls a function at the interrupt key, until it is undone; nil: nothing interrupts.
	OnInterrupt func(stop func()) (undo func())

	target debug.Target // nil: not started
	stop   *debug.Stop  // nil: it runs, or no kernel does
	focus  debug.Focus
	frame  int
	breaks
	displays
	repeat string // the command that an empty line repeats
	quit   bool
}

// breaks are the reasons to stop.
type breaks struct {
	points []*point
	last   int // number of the last breakpoint
	catch  debug.Catch
}

// Source says where lines of source are found.
type Source struct {
	Folders []string // where files are looked for
	files   map[string][]string
	at      listed
}

// listed is the line of source that list goes on from.
type listed struct {
	file  string
	line  int
	fresh bool // nothing was listed since the thread was shown: the line is in the middle
}

// point is a breakpoint as the user set it.
type point struct {
	debug.Breakpoint
	text      string
	temporary bool
	pending   bool // no kernel had the place yet
	ignore    int
}

const prompt = "(jacquard) "

// Run carries out commands, and then the lines of In unless batch is set. It returns the status of
// the tool: 1 if a command of a batch failed.
func (t *Terminal) Run(commands []string, batch bool) int {
	t.catch = debug.Catch{Faults: true, Traps: true, Findings: check.All}
	status := 0
	for _, c := range commands {
		if t.quit {
			break
		}
		if !t.Prompt {
			t.say("%s%s", prompt, c)
		}
		if !t.Do(c) {
			status = 1
			if batch {
				break
			}
		}
	}
	if !batch {
		status = 0
		t.read()
	}
	t.end()
	return status
}

// read carries out the lines of In.
func (t *Terminal) read() {
	in := bufio.NewScanner(t.In)
	for !t.quit {
		if t.Prompt {
			fmt.Fprint(t.Out, prompt)
		}
		if !in.Scan() {
			if t.Prompt {
				fmt.Fprintln(t.Out)
			}
			return
		}
		line := strings.TrimSpace(in.Text())
		if line == "" {
			line = t.repeat
		}
		if !t.Prompt {
			t.say("%s%s", prompt, line)
		}
		t.Do(line)
	}
}

// end ends the program with the session.
func (t *Terminal) end() {
	if t.target != nil {
		t.Program.Kill()
		t.Program.Wait()
		t.target = nil
	}
}

// Do carries out one command, and reports whether it succeeded.
func (t *Terminal) Do(line string) bool {
	line = strings.TrimSpace(line)
	if line == "" || strings.HasPrefix(line, "#") {
		return true
	}
	word, rest := cut(line)
	format := ""
	if w, f, ok := strings.Cut(word, "/"); ok {
		word, format = w, f
	}
	c, err := find(commands, word)
	t.repeat = ""
	if err == nil {
		if c.repeats {
			t.repeat = line
		}
		err = c.do(t, request{rest, format, word})
	}
	if err != nil {
		if errors.Is(err, debug.ErrGone) {
			t.gone()
			return true
		}
		t.say("%v", err)
		return false
	}
	return true
}

// say prints a line. Names come from files: they are made safe to print.
func (t *Terminal) say(format string, args ...any) { plain.Fprintf(t.Out, format+"\n", args...) }

// sayFindings prints what checkers found.
func sayFindings(t *Terminal, list []debug.Finding) {
	for _, f := range list {
		for line := range strings.Lines(f.Report) {
			t.say("%s", strings.TrimSuffix(line, "\n"))
		}
	}
}

// cut takes the first word off a line.
func cut(line string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimSpace(line), " ")
	return word, strings.TrimSpace(rest)
}

// source runs the commands of a file.
func (t *Terminal) source(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for i, line := range strings.Split(string(data), "\n") {
		if !t.Prompt && strings.TrimSpace(line) != "" {
			t.say("%s%s", prompt, strings.TrimSpace(line))
		}
		if !t.Do(line) {
			return fmt.Errorf("%s:%d: the command failed", path, i+1)
		}
		if t.quit {
			return nil
		}
	}
	return nil
}
