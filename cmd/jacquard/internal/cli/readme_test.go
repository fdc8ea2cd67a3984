package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cmd/jacquard/internal/cli"
)

// shown is a command on a page, with its output there, if any.
type shown struct {
	command  string
	output   []string
	terminal int // number of the fence
}

// fence encloses a terminal on a page.
const fence = "```"

// demoCommand matches the commands in the output of make demo.
var demoCommand = regexp.MustCompile(`^(LD_LIBRARY_PATH=build/lib |build/bin/jacquard )`)

// commandsOf returns the commands on a page: lines that start with "$ ", continued after a
// backslash, and the commands of make demo.
func commandsOf(page string) (list []shown) {
	inside, continued, terminal := false, false, 0
	var last *shown // of this terminal
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, fence) {
			inside, last = !inside, nil
			terminal++
			continue
		}
		command, prompt := strings.CutPrefix(line, "$ ")
		switch {
		case !inside:
		case continued:
			last.command += "\n" + line
		case prompt || demoCommand.MatchString(line):
			list = append(list, shown{command: command, terminal: terminal})
			last = &list[len(list)-1]
		case last != nil:
			last.output = append(last.output, line)
		}
		continued = last != nil && len(last.output) == 0 && strings.HasSuffix(line, `\`)
	}
	return list
}

// Times differ from run to run and from machine to machine, and so do the widths of their columns.
var (
	aTime  = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?(µs|ms|s)\b`)
	blanks = regexp.MustCompile(` +`)
)

func masked(line string) string {
	return strings.TrimSpace(blanks.ReplaceAllString(aTime.ReplaceAllString(line, "TIME"), " "))
}

// notHere matches commands that need a second driver, Slurm, a browser or another program, or time, or
// rights, or have been run.
var notHere = regexp.MustCompile(`jacquard (crosscheck|bench|play)|--on slurm|jacquard sweep .*study.toml|^duckdb |^sudo |^make |^make$|^export `)

// byClang matches a command that compiles a source of testdata/demo.
var byClang = regexp.MustCompile(`^clang .*(testdata/demo/\w+)\.cu -o (\w+\.ptx)$`)

// clangShown is the release of clang whose code the pages show.
const clangShown = "14"

// compiled returns what to run for a command of a page. The code of other clangs differs a little:
// the PTX of the release that the page shows is in testdata, in case it is not here.
func compiled(t *testing.T, command string, environment []string) string {
	t.Helper()
	m := byClang.FindStringSubmatch(command)
	if m == nil {
		return command
	}
	version := exec.Command("sh", "-c", "clang -dumpversion")
	version.Env = environment
	if out, err := version.Output(); err == nil && strings.HasPrefix(string(out), clangShown+".") {
		return command + " && cmp " + m[1] + ".ptx " + m[2]
	}
	t.Logf("there is no clang %s: %s.ptx is its output", clangShown, m[1])
	return "cp " + m[1] + ".ptx " + m[2]
}

// checkout makes a folder in which make has built everything, with the tool on the path.
func checkout(t *testing.T) (folder string, environment []string) {
	t.Helper()
	library := simulator(t)
	folder, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	source, err := filepath.Abs(root)
	require.NoError(t, err)
	for _, dir := range []string{"build/bin", "build/demo"} {
		require.NoError(t, os.MkdirAll(filepath.Join(folder, dir), 0o777))
	}
	for _, dir := range []string{"testdata", "docs"} {
		require.NoError(t, os.Symlink(filepath.Join(source, dir), filepath.Join(folder, dir)))
	}
	require.NoError(t, os.Symlink(library, filepath.Join(folder, "build/lib")))
	require.NoError(t, os.Symlink(filepath.Join(source, "build/toolkit"), filepath.Join(folder, "build/toolkit")))
	for _, name := range []string{"vectoradd", "vectoradd.cubin"} {
		require.NoError(t, os.Link(filepath.Join(library, name), filepath.Join(folder, "build/demo", name)))
	}
	build := exec.Command("go", "build", "-o", filepath.Join(folder, "build/bin/jacquard"), "./cmd/jacquard")
	build.Dir = source
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "JACQUARD_") && !strings.HasPrefix(v, "LD_") {
			environment = append(environment, v)
		}
	}
	return folder, append(environment, "PATH="+filepath.Join(folder, "build/bin")+":"+os.Getenv("PATH"))
}

// README.md and these pages show the tool's output, except for times, widths of columns and the
// checkout's path. Their commands draw the pictures of docs.
func TestReadme(t *testing.T) {
	folder, environment := checkout(t)
	_, err := os.Stat(filepath.Join(folder, "build/toolkit/bin/nvcc"))
	hasToolkit := err == nil
	for _, page := range []struct {
		path  string
		least int // commands whose output it shows
	}{{"README.md", 6}, {"docs/commands.md", 20}, {"docs/compiler.md", 2}, {"docs/divergence.md", 1}, {"docs/papers.md", 4}, {"docs/statistics.md", 1}, {"docs/sweep.md", 5}} {
		t.Run(page.path, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(root, page.path))
			require.NoError(t, err)
			ran, without := 0, 0
			for _, s := range commandsOf(string(text)) {
				if strings.Contains(s.command, "build/toolkit/") && !hasToolkit {
					t.Logf("there is no build/toolkit, so this and what follows is not run: %s", s.command)
					without = s.terminal
				}
				if s.terminal == without {
					continue
				}
				if !notHere.MatchString(s.command) && checkShown(t, &s, folder, environment) {
					ran++
				}
			}
			require.GreaterOrEqual(t, ran, page.least)
		})
	}
	drawn, err := filepath.Glob(filepath.Join(folder, "*.svg"))
	require.NoError(t, err)
	require.NotEmpty(t, drawn)
	for _, path := range drawn {
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		want, err := os.ReadFile(filepath.Join(root, "docs", filepath.Base(path)))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "docs/%s is not what its command draws", filepath.Base(path))
	}
}

// checkShown runs a command of a page, and reports whether the page shows output.
func checkShown(t *testing.T, s *shown, folder string, environment []string) bool {
	t.Helper()
	cmd := exec.Command("sh", "-c", compiled(t, s.command, environment))
	cmd.Dir, cmd.Env = folder, environment
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil {
		require.ErrorAs(t, err, &exit)
		require.NotEmpty(t, s.output, "%s\n%s", s.command, out)
	}
	if len(s.output) == 0 {
		return false
	}
	want := comparable(s.output, "/home/me/jacquard")
	got := comparable(strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"), folder)
	if want[0] == "..." { // what comes before is not shown
		want, got = want[1:], got[max(len(got)-len(want)+1, 0):]
	}
	require.Equal(t, want, got, s.command)
	return true
}

// listed is a command in the help of the tool.
var listed = regexp.MustCompile(`(?m)^  ([a-z]+)  +[A-Z]`)

// Every command of the tool has a section on the page of commands, which names its subcommands;
// every section has a command.
func TestCommandsHaveSections(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/commands.md"))
	require.NoError(t, err)
	sections := map[string]string{}
	for _, part := range strings.Split(string(text), "\n## jacquard ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		sections[name] = body
	}
	for _, m := range listed.FindAllStringSubmatch(fine(t, "--help"), -1) {
		require.Contains(t, sections, m[1], "docs/commands.md has no section for jacquard %s", m[1])
		require.Contains(t, sections[m[1]], "\n$ jacquard "+m[1], "the section of jacquard %s shows no example", m[1])
		delete(sections, m[1])
	}
	require.Empty(t, sections, "sections of commands that there are not")
	for _, path := range cli.CommandPaths() {
		if len(path) > 1 {
			require.Contains(t, string(text), "`"+strings.Join(path, " ")+"`")
		}
	}
}

// comparable returns lines without what differs from machine to machine.
func comparable(lines []string, folder string) (out []string) {
	for _, line := range lines {
		if !strings.HasPrefix(line, "note ") && !strings.HasPrefix(line, "libcuda now ") { // of a machine with a driver
			out = append(out, masked(strings.ReplaceAll(line, folder+"/", ".../")))
		}
	}
	return out
}
