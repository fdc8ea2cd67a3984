package lab

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/cubin/carrier"
	"jacquard/tesla"
)

var (
	// alone compiles each program as its users would; otherwise those of a kind are one program.
	alone = flag.Bool("alone", false, "compile each program on its own")

	folder = flag.String("lab", filepath.Join(root, "testdata/lab"), "the folder of the laboratory")
)

// root is the folder of the repository.
const root = "../../.."

// byKind returns the programs of each folder of the laboratory.
func byKind(t *testing.T) map[string][]*Program {
	t.Helper()
	all, err := Read(*folder)
	require.NoError(t, err)
	groups := map[string][]*Program{}
	for _, p := range all {
		group, _, _ := strings.Cut(p.Name, "/")
		groups[group] = append(groups[group], p)
	}
	return groups
}

// Each kind has wrong and right programs. A wrong program shows its own kind alone.
func TestKinds(t *testing.T) {
	groups := byKind(t)
	require.Len(t, groups, len(kinds))
	seen := map[string]bool{}
	for group, programs := range groups {
		require.Contains(t, kinds, group)
		wrong := 0
		for _, p := range programs {
			wrong += min(1, len(p.Findings))
			for _, f := range p.Findings {
				require.Equal(t, group, f.Kind, p.Name)
				seen[f.Kind+" "+f.What[0]] = true
			}
			for _, f := range p.Notes {
				seen[f.Kind+" "+f.What[0]] = true
			}
		}
		require.GreaterOrEqual(t, wrong, len(programs)/3, group)
		require.GreaterOrEqual(t, len(programs)-wrong, len(programs)/3, group)
	}
	for name, k := range kinds {
		for _, what := range k.what {
			require.True(t, seen[name+" "+what], "no program shows %s %s", name, what)
		}
	}
}

// TestPrograms compiles all programs and runs them. They end as they say, and the code of each line
// of a kernel that a finding names has that line in its table.
func TestPrograms(t *testing.T) {
	for group, programs := range byKind(t) {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			for _, p := range programs {
				t.Run(filepath.Base(p.Name), func(t *testing.T) {
					exe := executable(t, group, p, programs)
					out, status := run(t, exe, p.Name)
					require.Equal(t, p.Output, out)
					require.Equal(t, p.Exit, status)
					checkLines(t, p, exe)
				})
			}
		})
	}
}

// TestMain removes what is compiled.
func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "jacquard-lab-*"); err != nil {
		panic("lab: " + err.Error())
	}
	status := m.Run()
	os.RemoveAll(scratch)
	os.Exit(status)
}

var (
	scratch string   // the folder of what is compiled
	built   sync.Map // of each program or group: a function that compiles it once
)

// executable returns the file to run for a program: that of its group, or its own.
func executable(t *testing.T, group string, p *Program, programs []*Program) string {
	t.Helper()
	if *alone {
		group, programs = p.Name, []*Program{p}
	}
	once, _ := built.LoadOrStore(group, sync.OnceValue(func() string { return build(t, group, programs) }))
	return once.(func() string)()
}

// build compiles programs together.
func build(t *testing.T, group string, programs []*Program) string {
	t.Helper()
	nvcc := filepath.Join(root, "build/toolkit/bin/nvcc")
	if _, err := os.Stat(nvcc); err != nil {
		t.Skip("no build/toolkit/bin/nvcc: make toolkit builds it")
	}
	dir := filepath.Join(scratch, group)
	require.NoError(t, os.MkdirAll(dir, 0o777))
	source, exe := filepath.Join(dir, "all.cu"), filepath.Join(dir, "all")
	require.NoError(t, os.WriteFile(source, []byte(Together(programs)), 0o666))
	out, err := exec.Command(nvcc, "-arch=sm_13", "-lineinfo", "-g", "-I", *folder, "-o", exe, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
	return exe
}

// run runs a program with environment variables and returns its output and its exit status.
func run(t *testing.T, exe, name string, env ...string) (string, int) {
	t.Helper()
	libraries, err := filepath.Abs(filepath.Join(root, "build/lib"))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	program := exec.CommandContext(ctx, exe, name)
	program.Env = append(append(os.Environ(), "LD_LIBRARY_PATH="+libraries), env...)
	var out, log bytes.Buffer
	program.Stdout, program.Stderr = &out, &log
	err = program.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		require.NoError(t, err, "%s", &log)
	}
	return out.String(), program.ProcessState.ExitCode()
}

var (
	// hostCall is in lines of the host that findings name.
	hostCall = regexp.MustCompile(`\bcuda[A-Z]\w*\(|<<<`)
	// library is in lines whose instructions may all have a line of a header.
	library = regexp.MustCompile(`\batomic[A-Z]\w*\(|\btex1Dfetch\(`)
)

// checkLines requires code for each line of a kernel that findings and notes of the program name.
func checkLines(t *testing.T, p *Program, exe string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(*folder, p.Name+".cu"))
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	require.LessOrEqual(t, len(lines), 60, "lines of a program")
	have := lineTable(t, exe, p.Name)
	for _, f := range append(p.Findings, p.Notes...) {
		for _, n := range append(f.With, f.Line) {
			if line := lines[n-1]; !hostCall.MatchString(line) && !library.MatchString(line) {
				require.True(t, have[n], "no code has line %d: %s", n, line)
			}
		}
	}
}

// lineTable returns the lines of a program that code of its kernels has.
func lineTable(t *testing.T, exe, name string) map[int]bool {
	t.Helper()
	data, err := os.ReadFile(exe)
	require.NoError(t, err)
	file, err := carrier.Find(data)
	require.NoError(t, err)
	have := map[int]bool{}
	for _, m := range file.Modules {
		im, err := m.Contents.Image(tesla.SM13)
		require.NoError(t, err)
		for _, k := range im.Kernels {
			for _, l := range k.Lines {
				if strings.HasSuffix(l.File, "/"+name+".cu") {
					have[l.Line] = true
				}
			}
		}
	}
	return have
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"int a; // finding: race read-write":                       `line 1: race: "" is no space of this kind`,
		"\nint a; // finding: sync partial shared":                 `line 2: sync: "shared" is no space of this kind`,
		"int a; // finding: race read-right shared":                `line 1: race: want one of read-write, write-write, atomic-plain, warp-synchronous, same-value, not "read-right"`,
		"int a; // finding: races read-write shared":               `line 1: "races" is no kind`,
		"int a; // finding a: leak host":                           `line 1: no place says "with a"`,
		"int a; // with b":                                         `line 1: no finding or note has the label "b"`,
		"int a; // finding leak host":                              `line 1: want "finding [LABEL]: KIND WHAT [SPACE]", the same with note, or "with LABEL", not "finding leak host"`,
		"int a; // finding a: leak host\nint b; // note a: leak a": `line 2: leak: want one of device, host, array, stream, event, not "a"`,
		"int a;": `line 1: want findings, or else the line "// no finding"`,
		"// no finding\nint a; // finding: leak host":                            `line 1: want findings, or else the line "// no finding"`,
		"a; // finding a: leak host; with a\nb; // finding a: leak host; with a": `line 2: the label "a" stands on line 1, too`,
		"// no finding\n// exit: one":                                            `line 2: strconv.Atoi: parsing "one": invalid syntax`,
	} {
		_, err := Parse("x/y", text)
		require.EqualError(t, err, want, text)
	}
}
