package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shown is a command that README.md shows, with what it prints; nothing is not shown.
type shown struct {
	command string
	output  []string
}

// fence stands around what README.md shows of a terminal.
const fence = "```"

// demoCommand begins the lines of what make demo prints that are commands.
var demoCommand = regexp.MustCompile(`^(LD_LIBRARY_PATH=build/lib |build/bin/jacquard )`)

// commandsOf returns the commands that a page shows: lines behind "$ ", continued behind a backslash, and those that
// make demo prints.
func commandsOf(page string) (list []shown) {
	inside, continued := false, false
	var last *shown // of this terminal
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, fence) {
			inside, last = !inside, nil
			continue
		}
		command, prompt := strings.CutPrefix(line, "$ ")
		switch {
		case !inside:
		case continued:
			last.command += "\n" + line
		case prompt || demoCommand.MatchString(line):
			list = append(list, shown{command: command})
			last = &list[len(list)-1]
		case last != nil:
			last.output = append(last.output, line)
		}
		continued = last != nil && len(last.output) == 0 && strings.HasSuffix(line, `\`)
	}
	return list
}

// What differs from run to run and from machine to machine: times, and how wide they make a column.
var (
	aTime  = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?(µs|ms|s)\b`)
	blanks = regexp.MustCompile(` +`)
)

func masked(line string) string {
	return strings.TrimSpace(blanks.ReplaceAllString(aTime.ReplaceAllString(line, "TIME"), " "))
}

// Commands of README.md that need what a test has not.
var notHere = regexp.MustCompile(`jacquard crosscheck`) // a second driver

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
	require.NoError(t, os.Symlink(filepath.Join(source, "testdata"), filepath.Join(folder, "testdata")))
	require.NoError(t, os.Symlink(library, filepath.Join(folder, "build/lib")))
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

// What README.md shows is what the tool prints, but for times, columns and the place of the checkout.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	folder, environment := checkout(t)
	ran := 0
	for _, s := range commandsOf(string(page)) {
		if notHere.MatchString(s.command) {
			continue
		}
		cmd := exec.Command("sh", "-c", s.command)
		cmd.Dir, cmd.Env = folder, environment
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil {
			require.ErrorAs(t, err, &exit)
			require.NotEmpty(t, s.output, "%s\n%s", s.command, out)
		}
		if len(s.output) == 0 {
			continue
		}
		ran++
		want := comparable(s.output, "/home/me/jacquard")
		got := comparable(strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"), folder)
		if want[0] == "..." { // what comes before is not shown
			want, got = want[1:], got[max(len(got)-len(want)+1, 0):]
		}
		require.Equal(t, want, got, s.command)
	}
	require.GreaterOrEqual(t, ran, 17)
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
