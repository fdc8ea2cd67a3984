package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"
)

// traced runs nested with a trace and returns the trace's path.
func traced(t *testing.T, options string, more ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.jqt")
	a := jacquard(append(vecadd("--trace", path+options), more...)...)
	require.Zero(t, a.status, a.err)
	require.Regexp(t, `^jacquard: .*/t\.jqt: \d+ warp-instructions of \d launch(es)?; jacquard trace show prints them\n$`, a.err)
	return path
}

func TestTraceShow(t *testing.T) {
	path := traced(t, ":values=all,block=1")
	golden(t, "trace_show.txt", fine(t, "trace", "show", path, "--warp", "0"))
	require.Equal(t, "launch 0: vecadd (sm_13), grid 4x1, block 64x1x1, policy nvidia; 32 warp-instructions\n", fine(t, "trace", "show", path, "--launches"))
	bare := fine(t, "trace", "show", path, "--values=false", "--first", "3")
	require.Equal(t, 2+3, strings.Count(bare, "\n"), bare)
	require.NotContains(t, bare, "=")
}

// A trace has as many lines as the launch counted warp-instructions.
func TestTraceIsComplete(t *testing.T) {
	text := fine(t, "trace", "show", traced(t, ""))
	require.Len(t, regexp.MustCompile(`(?m)^ +\d+ w\d+ +[0-9a-f]{4} [0-9a-f]{8}  `).FindAllString(text, -1), 128)
}

// The bytes of a trace depend on nothing that the host chooses.
func TestTraceIsTheSame(t *testing.T) {
	want, err := os.ReadFile(traced(t, ":values=all"))
	require.NoError(t, err)
	for _, more := range [][]string{nil, {"--simd", "off"}, {"--workers", "1"}, {"--workers", "3"}, {"--stats", "off"}} {
		got, err := os.ReadFile(traced(t, ":values=all", more...))
		require.NoError(t, err)
		require.Equal(t, want, got, more)
	}
}

// A full disk ends the trace, not the run; the tool then fails.
func TestTraceDiskFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full on this system")
	}
	a := jacquard(vecadd("--print", "sum:f32:2", "--trace", "/dev/full:values=all")...)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.out, "sum[0]: 3 3\n")
	require.Equal(t, "jacquard: trace: write /dev/full: no space left on device; nothing more is recorded\n", a.err)
}

// Options of a recording leave the same as the flags of the same names do of a whole trace.
func TestTraceSwitches(t *testing.T) {
	whole := traced(t, ":values=all")
	for text, lines := range map[string]int{
		"kernel=vecadd": 128, "kernel=x+vecadd": 128, "kernel=x": 0, "launch=0": 128, "launch=1-9": 0, "block=1": 32, "block=0-1+3": 96, "warp=1": 64,
		"pc=0x0-0x10": 24, "op=stglobal+ldglobal": 24, "first=5": 5, "block=2,warp=0,op=ldglobal": 2, "values=none": 128,
	} {
		part := filepath.Join(t.TempDir(), "t.jqt")
		require.Zero(t, jacquard(vecadd("--trace", part+":values=all,"+text)...).status)
		args := []string{"trace", "diff", part, whole}
		for _, option := range strings.Split(text, ",") {
			if name, value, _ := strings.Cut(option, "="); name != "values" {
				args = append(args, "--"+name, value)
			}
		}
		if lines == 0 {
			require.Equal(t, 1, jacquard(args...).status, text)
			require.Equal(t, 1, jacquard("trace", "show", part).status, text)
			continue
		}
		require.Equal(t, fmt.Sprintf("the same: %d warp-instructions\n", lines), fine(t, args...), text)
		require.Len(t, regexp.MustCompile(`(?m)^ +\d+ w`).FindAllString(fine(t, "trace", "show", part), -1), lines, text)
	}
	for values, c := range map[string]struct{ has, hasNot string }{
		"regs": {`\$r1 = `, `addr = |data `}, "addr": {`addr = `, `\$r\d+ = `}, "data": {`data \$r1 = `, `  \$r\d+ = |addr`}, "none": {`w0`, ` = `},
		"regs+addr": {`addr = `, `data `}, "all": {`data \$r1 = `, `^$`},
	} {
		text := fine(t, "trace", "show", traced(t, ":values="+values))
		require.Regexp(t, c.has, text, values)
		require.NotRegexp(t, c.hasNot, text, values)
	}
}

func TestTraceFilter(t *testing.T) {
	path := traced(t, ":values=all")
	out := filepath.Join(t.TempDir(), "small.jqt")
	require.Empty(t, fine(t, "trace", "filter", path, "-o", out, "--block", "2", "--op", "stglobal", "--values", "addr"))
	require.Equal(t, `launch 0: vecadd (sm_13), grid 4x1, block 64x1x1, policy nvidia
block 2 (2,0)
      14 w0  0070 ffffffff  st b32 g14[$r0] $r1
                        addr = 1a00 +4 a lane
      14 w1  0070 ffffffff  st b32 g14[$r0] $r1
                        addr = 1a80 +4 a lane
`, fine(t, "trace", "show", out))
	require.Equal(t, 2, strings.Count(fine(t, "trace", "filter", path, "-o", out, "--op", "stglobal", "--op", "bra", "--block", "2")+
		fine(t, "trace", "show", out), "st b32"))
	require.Equal(t, "the same: 2 warp-instructions\n", fine(t, "trace", "diff", out, path, "--block", "2", "--op", "stglobal"))
}

func TestTraceDiff(t *testing.T) {
	a, b := traced(t, ":values=all"), traced(t, "")
	require.Equal(t, "the same: 128 warp-instructions\n", fine(t, "trace", "diff", a, b))
	other := traced(t, ":values=regs", "--policy", "mimd")
	d := jacquard("trace", "diff", a, other)
	require.Equal(t, 1, d.status)
	require.Empty(t, d.err)
	require.Equal(t, "0 warp-instructions are the same; then active lanes:\n"+
		a+": launch 0, vecadd, block 0: 0 w0  0000 ffffffff  cvt u32 $r1 u16 u16 s[0xc]\n"+
		other+": launch 0, vecadd, block 0: 0 w0  0000 00000001  cvt u32 $r1 u16 u16 s[0xc]\n", d.out)
}

func TestTraceExport(t *testing.T) {
	path := traced(t, "")
	export := func(name string) []byte {
		out := filepath.Join(t.TempDir(), name)
		require.Empty(t, fine(t, "trace", "export", path, "-o", out))
		data, err := os.ReadFile(out)
		require.NoError(t, err)
		return data
	}
	p, err := profile.ParseData(export("t.pb.gz"))
	require.NoError(t, err)
	var issues int64
	for _, s := range p.Sample {
		issues += s.Value[0]
	}
	require.EqualValues(t, 128, issues)
	require.Regexp(t, `(?s)^\{"displayTimeUnit":"ns",.*"name":"launch 0 vecadd block 3 \(3,0\)".*"name":"32 lanes".*"first":"0000: cvt u32 .*\]\}\n$`,
		string(export("t.json")))
	require.Regexp(t, `(?s)^PAR1.*PAR1$`, string(export("t.parquet")))
}

func TestTraceErrors(t *testing.T) {
	path := traced(t, "")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	cut := temporary(t, "cut.jqt", string(data[:len(data)-1]))
	a := jacquard("trace", "show", cut)
	require.Equal(t, 1, a.status)
	require.Regexp(t, `^jacquard: .*cut\.jqt: trace: offset 0x[0-9a-f]+: the file was cut off .*: the part before is used\n$`, a.err)
	require.Equal(t, fine(t, "trace", "show", path), a.out)
	flipped := bytes.Clone(data)
	flipped[bytes.Index(data, []byte("JQTF\x03"))+70] ^= 1 // in the issues, behind the header of their frame
	damaged := temporary(t, "damaged.jqt", string(flipped))
	none := filepath.Join(t.TempDir(), "none.json")
	for name, c := range map[string]struct {
		args   []string
		status int
		err    string
	}{
		"foreign":            {[]string{"trace", "show", kernel("vecadd", "sm_10.cubin")}, 1, "offset 0x0: this is no trace"},
		"nothing":            {[]string{"trace", "show", path, "--launch", "7"}, 1, "the trace has no such warp-instructions"},
		"nothing to compare": {[]string{"trace", "diff", path, path, "--kernel", "none"}, 1, "nothing was compared: the trace has no such warp-instructions"},
		"nothing to filter":  {[]string{"trace", "filter", path, "-o", none, "--launch", "7"}, 1, "the trace has no such warp-instructions"},
		"nothing to export":  {[]string{"trace", "export", path, "-o", none, "--block", "9"}, 1, "the trace has no such warp-instructions"},
		"nothing to list":    {[]string{"trace", "show", path, "--launches", "--kernel", "none"}, 1, "the trace has no such warp-instructions"},
		"list of blocks":     {[]string{"trace", "show", path, "--launches", "--block", "1"}, 2, "--launches does not go with --block"},
		"first twice":        {[]string{"trace", "show", path, "--first", "1", "--first", "2"}, 2, "--first: "},
		"damaged":            {[]string{"trace", "export", damaged, "-o", none}, 1, "jacquard: " + damaged + ": trace: offset 0x"},
		"damaged beside":     {[]string{"trace", "diff", path, damaged}, 1, "jacquard: the second trace: trace: offset 0x"},
		"missing":            {[]string{"trace", "show", "no.jqt"}, 1, "no such file"},
		"no file":            {[]string{"trace", "show"}, 2, "jacquard trace show wants a trace"},
		"bad range":          {[]string{"trace", "show", path, "--warp", "x"}, 2, `--warp: warp="x": want a number, or first-last, several with + between`},
		"bad operation":      {[]string{"trace", "show", path, "--op", "x"}, 2, `--op: unknown operation "x": want addaddr, atom`},
		"bad option":         {vecadd("--trace", path+":x"), 2, `unknown option "x": want values=all or`},
		"test":               {[]string{"run", "--test", "--trace", path, kernel("vecadd", "test.json")}, 2, "--trace is of one run, and these are 4: choose one test, and a build by --arch"},
		"one to compare":     {[]string{"trace", "diff", path}, 2, "jacquard trace diff wants two traces"},
		"onto itself":        {[]string{"trace", "filter", path, "-o", path}, 2, "is a file that is read: name another"},
		"filter where":       {[]string{"trace", "filter", path}, 2, "say with -o which file to write"},
		"filter values":      {[]string{"trace", "filter", path, "-o", cut, "--values", "x"}, 2, `--values: unknown values "x": want all, none, regs`},
		"no output":          {[]string{"trace", "export", path}, 2, "say with -o which file to write"},
		"no format":          {[]string{"trace", "export", path, "-o", "x"}, 2, `-o "x": say with --to what to write, pprof, chrome or parquet`},
		"bad format":         {[]string{"trace", "export", path, "-o", "x", "--to", "y"}, 2, `--to "y": want pprof, chrome or parquet`},
		"unknown":            {[]string{"trace", "shwo"}, 2, `unknown command "shwo"`},
		"unwritable":         {vecadd("--trace", "/dev/null/t.jqt"), 1, "not a directory"},
	} {
		a := jacquard(c.args...)
		require.Equal(t, c.status, a.status, "%s: %s", name, a.err)
		require.Contains(t, a.err, c.err, name)
	}
	require.NoFileExists(t, none)
}

// A real program, through the library: by the flag and by the environment variable.
func TestTraceOfProgram(t *testing.T) {
	dir := simulator(t)
	program, path := filepath.Join(dir, "vectoradd"), filepath.Join(t.TempDir(), "t.jqt")
	a := jacquard("exec", "--lib", dir, "--trace", path, "--", program)
	require.Zero(t, a.status, a.err)
	require.Contains(t, a.err, "jacquard: "+path+": 5017 warp-instructions of 1 launch; jacquard trace show prints them\n")
	other := filepath.Join(t.TempDir(), "other.jqt")
	t.Setenv("JACQUARD_TRACE", other+":first=100")
	require.Zero(t, jacquard("exec", "--lib", dir, "--quiet", "--", program).status)
	require.Equal(t, "the same: 100 warp-instructions\n", fine(t, "trace", "diff", path, other, "--first", "100"))
}
