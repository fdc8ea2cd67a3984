package cli_test

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// loop is a kernel that never ends; twins are two that end at once.
const (
	loop  = `architecture {sm_10} code { name = loop lmem = 0 smem = 16 reg = 1 bar = 0 bincode { 0x10000003 0x00000780 } }`
	twins = `architecture {sm_13}
		code { name = one lmem = 0 smem = 16 reg = 1 bar = 0 bincode { 0xf0000001 0xe0000001 } }
		code { name = two lmem = 0 smem = 16 reg = 1 bar = 0 bincode { 0xf0000001 0xe0000001 } }`
)

// vecadd are the arguments that run 256 threads of vecadd, each adding 1 and 2.
func vecadd(more ...string) []string {
	return append([]string{
		"run", kernel("vecadd", "sm_10.cubin"), "vecadd", "--grid", "4", "--block", "64",
		"--arg", "buf:1k:pattern=3f800000", "--arg", "buf:1k:pattern=40000000",
		"--arg", "buf:1k:name=sum", "--arg", "u32:256",
	}, more...)
}

func TestRunPrints(t *testing.T) {
	lines := strings.Split(fine(t, vecadd("--print", "sum:f32:8", "--print", "arg0::2")...), "\n")
	require.Len(t, lines, 6)
	require.Equal(t, "sum[0]: 3 3 3 3 3 3 3 3", lines[0])
	require.Equal(t, "arg0[0]: 3f800000 3f800000", lines[1])
	require.Regexp(t, `^ *vecadd +1 +128 +4096 +32\.00 +\S+s$`, lines[3])
}

func TestRunJSON(t *testing.T) {
	var event map[string]any
	require.NoError(t, json.Unmarshal([]byte(fine(t, vecadd("--json")...)), &event))
	require.Equal(t, "vecadd", event["kernel"])
	require.EqualValues(t, 128, event["warp_instructions"])
	require.Equal(t, []any{64., 1., 1.}, event["block"])
}

// launchEvents reads an output that is JSON and nothing else.
func launchEvents(t *testing.T, out string) (list []map[string]any) {
	t.Helper()
	for decoder := json.NewDecoder(strings.NewReader(out)); ; {
		var event map[string]any
		err := decoder.Decode(&event)
		if err == io.EOF {
			return list
		}
		require.NoError(t, err, out)
		require.Equal(t, "launch", event["event"])
		list = append(list, event)
	}
}

// With --json everything else is on standard error.
func TestRunJSONAlone(t *testing.T) {
	dump := filepath.Join(t.TempDir(), "sum")
	a := jacquard(vecadd("--json", "--print", "sum:f32:2", "--dump", "sum="+dump)...)
	require.Zero(t, a.status)
	require.Equal(t, "sum[0]: 3 3\n", a.err)
	require.Len(t, launchEvents(t, a.out), 1)

	require.NoError(t, os.Truncate(dump, 8))
	a = jacquard(vecadd("--json", "--expect", "sum="+dump)...)
	require.Equal(t, 1, a.status)
	wrong := "buffer sum has 1024 bytes, " + dump + " has 8"
	require.Equal(t, "jacquard: "+wrong+"\n", a.err)
	events := launchEvents(t, a.out)
	require.Len(t, events, 1)
	require.Equal(t, wrong, events[0]["wrong"])

	a = jacquard(vecadd("--json", "--dump", "sum=-")...)
	require.Equal(t, answer{2, "", "jacquard: --dump sum -: want a file: standard output is JSON\n"}, a)
}

// A launch that failed has its object, too.
func TestRunJSONFault(t *testing.T) {
	path := temporary(t, "loop.cubin", loop)
	a := jacquard("run", path, "--watchdog", "1000", "--json")
	require.Equal(t, 1, a.status)
	require.Regexp(t, `^jacquard: watchdog in kernel loop, .* \(CUDA_ERROR_LAUNCH_TIMEOUT\)\n$`, a.err)
	events := launchEvents(t, a.out)
	require.Len(t, events, 1)
	require.Equal(t, "loop", events[0]["kernel"])
	require.Equal(t, "CUDA_ERROR_LAUNCH_TIMEOUT", events[0]["result"])
	require.Contains(t, events[0]["message"], "watchdog in kernel loop")
	require.EqualValues(t, 1000, events[0]["warp_instructions"])
	require.NotContains(t, events[0], "wrong")

	a = jacquard("run", kernel("vecadd", "sm_10.cubin"), "--block", "513", "--json", "--stats", filepath.Join(t.TempDir(), "s.json"))
	require.Equal(t, 1, a.status)
	events = launchEvents(t, a.out)
	require.Len(t, events, 1, "refused")
	require.Equal(t, "CUDA_ERROR_INVALID_VALUE", events[0]["result"])
}

// A job that does not become a launch has an object, too; a wrong command line has none.
func TestRunJSONNoLaunch(t *testing.T) {
	vecadd, bad := kernel("vecadd", "sm_10.cubin"), temporary(t, "bad.cubin", "nonsense")
	test := temporary(t, "test.json", "{")
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   map[string]any // of the object, beside event and message
		says   string
	}{
		{"kernel", []string{vecadd, "other"}, 1, map[string]any{"kernel": "other"}, `holds no kernel "other"`},
		{"parameters", []string{"../../../../testdata/ptx/saxpy.ptx", "saxpy", "--arg", "u32:1"}, 2, map[string]any{"kernel": "saxpy"}, "takes 4 parameters"},
		{"file", []string{bad}, 1, nil, `at "nonsense"`},
		{"missing file", []string{bad + ".none"}, 1, nil, "no such file"},
		{"device", []string{kernel("daxpy", "sm_13.cubin"), "--device", "8800gtx"}, 1, map[string]any{"result": "CUDA_ERROR_NO_BINARY_FOR_GPU"}, "no machine code for sm_10"},
		{"expected file", []string{vecadd, "--arg", "buf:4", "--expect", "arg0=/nonexistent/x"}, 1, nil, "no such file"},
		{"test", []string{"--test", test}, 1, nil, test},
		{"device of a test", []string{"--test", kernel("daxpy", ""), "--arch", "sm_13", "--device", "8800gtx"}, 1,
			map[string]any{"kernel": "daxpy", "arch": "sm_13", "result": "CUDA_ERROR_NO_BINARY_FOR_GPU"}, "no machine code for sm_10"},
		{"usage", []string{vecadd, "--grid", "0"}, 2, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := jacquard(append([]string{"run", "--json"}, c.args...)...)
			require.Equal(t, c.status, a.status)
			require.NotEmpty(t, a.err)
			if c.says == "" {
				require.Empty(t, a.out)
				return
			}
			var object map[string]any
			require.NoError(t, json.Unmarshal([]byte(a.out), &object), a.out)
			require.Equal(t, "no launch", object["event"])
			require.Contains(t, object["message"], c.says)
			delete(object, "event")
			delete(object, "message")
			require.Len(t, object, len(c.want))
			for name, value := range c.want {
				require.Equal(t, value, object[name], name)
			}
		})
	}
}

// A counter that was not counted is absent in JSON, and - in a table.
func TestRunWithoutCounts(t *testing.T) {
	require.Regexp(t, `(?m)^ *vecadd +1 +- +- +- +\S+s$`, fine(t, vecadd("--stats", "off")...))
	events := launchEvents(t, fine(t, vecadd("--stats", "off", "--json")...))
	require.Len(t, events, 1)
	for _, name := range []string{"warp_instructions", "thread_instructions", "average_active_lanes", "transactions", "divergence", "exactness"} {
		require.NotContains(t, events[0], name)
	}
	require.Contains(t, events[0], "seconds")
	require.Equal(t, "ok vecadd sm_10 on 8800gtx\n1 passed, 0 failed\n",
		fine(t, "run", "--test", kernel("vecadd", ""), "--arch", "sm_10", "--stats", "off"))
}

func TestRunDumpsAndCompares(t *testing.T) {
	dump := filepath.Join(t.TempDir(), "sum")
	fine(t, vecadd("--dump", "sum="+dump)...)
	data, err := os.ReadFile(dump)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("\x00\x00\x40\x40", 256), string(data))

	fine(t, vecadd("--expect", "sum="+dump)...)
	data[6] = 0x41
	require.NoError(t, os.WriteFile(dump, data, 0o666))
	a := jacquard(vecadd("--expect", "sum="+dump)...)
	require.Equal(t, 1, a.status)
	require.Equal(t, "jacquard: buffer sum: byte 6 is 0x40, "+dump+" has 0x41; 1 of 1024 bytes differ\n", a.err)
	require.Contains(t, a.out, "vecadd") // the summary is printed all the same

	require.NoError(t, os.WriteFile(dump, data[:8], 0o666))
	a = jacquard(vecadd("--expect", "sum="+dump)...)
	require.Equal(t, "jacquard: buffer sum has 1024 bytes, "+dump+" has 8\n", a.err)
}

// The last of two shapes counts; they are not joined.
func TestShapesGivenTwice(t *testing.T) {
	require.Contains(t, fine(t, vecadd("--grid", "1,1", "--grid", "4", "--block", "16", "--block", "64", "--print", "sum:f32:1")...), "sum[0]: 3\n")
	a := jacquard(vecadd("--block", "6x")...)
	require.Equal(t, 2, a.status)
	require.Contains(t, a.err, `"6x" for "--block" flag: invalid syntax`)
}

// A file without an end is an error, or longer than a buffer.
func TestFilesWithoutEnd(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("no /dev/zero on this system")
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{vecadd("--expect", "sum=/dev/zero"), "buffer sum has 1024 bytes, /dev/zero has more"},
		{[]string{"run", "--test", "/dev/zero"}, `/dev/zero: not a kernel test: invalid character '\x00' looking for beginning of value`},
		{[]string{"sweep", "/dev/zero"}, "/dev/zero: more than 64 MiB: this is no study file"},
		{[]string{"verify", "/dev/zero"}, "/dev/zero: line 1: no vector file: the first line is not op,mods,a,b,c,cc_in,r,cc_out,r2"},
	} {
		a := jacquard(c.args...)
		require.Equal(t, 1, a.status)
		require.Equal(t, "jacquard: "+c.want+"\n", a.err)
	}
}

// overrun are the arguments that have vecadd write 2,048 bytes to a buffer of 96.
func overrun(more ...string) []string {
	return append([]string{
		"run", kernel("vecadd", "sm_10.cubin"), "vecadd", "--grid", "8", "--block", "64",
		"--arg", "buf:2k:pattern=3f800000", "--arg", "buf:2k:pattern=40000000",
		"--arg", "buf:96:name=sum", "--arg", "u32:512",
	}, more...)
}

// As on a board a kernel may pass the end of a buffer by a little, and is named. Exact memory makes
// that a fault.
func TestRunOverrun(t *testing.T) {
	const note = "note: kernel vecadd reaches beyond an allocation: block (0,0), warp 0, lanes ff000000, pc 0x"
	for _, knobs := range [][]string{nil, {"--memory", "board"}, {"--policy", "stackless", "--workers", "1"}, {"--simd", "off"}} {
		a := jacquard(overrun(append(knobs, "--print", "sum:f32:24")...)...)
		require.Zero(t, a.status, a.err)
		require.Empty(t, a.err)
		require.Contains(t, a.out, "sum[0]: 3 3 3 3 3 3 3 3\n")
		require.Equal(t, 1, strings.Count(a.out, note), a.out)
		at := "0x2000"
		if slices.Contains(knobs, "board") {
			at = "0x5000"
		}
		require.Contains(t, a.out, ", 4 bytes beyond the 96 bytes at "+at+"\n")
	}
	a := jacquard(overrun("--memory", "exact")...)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, "illegal address in kernel vecadd, block (0,0), warp 0, lanes ff000000, pc 0x")
	require.Contains(t, a.err, "address g[0x5060] (address out of range)")

	// A bundle replays as it was recorded, wherever the knob stands.
	for memory, other := range map[string]string{"packed": "exact", "board": "packed", "exact": "board"} {
		path := filepath.Join(t.TempDir(), memory+".jqb")
		jacquard(overrun("--memory", memory, "--record", path)...)
		t.Setenv("JACQUARD_MEMORY", other)
		require.Equal(t, "1 launch: 1 identical, 0 different\n", fine(t, "replay", path), memory)
	}
}

func TestRunOnlyKernelNeedsNoName(t *testing.T) {
	require.Contains(t, fine(t, "run", temporary(t, "x.cubin", strings.Replace(loop, "0x10000003 0x00000780", "0xf0000001 0xe0000001", 1))), "loop")
}

func TestRunErrors(t *testing.T) {
	file := kernel("vecadd", "sm_10.cubin")
	two := temporary(t, "two.cubin", twins)
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"no file", []string{"/nonexistent/x"}, 1, "open /nonexistent/x: no such file or directory"},
		{"no kernel", []string{file, "saxpy"}, 1, file + ` holds no kernel "saxpy": want vecadd`},
		{"which kernel", []string{two}, 2, two + " holds 2 kernels: say which one to run (jacquard info lists them)"},
		{"grid", []string{file, "--grid", "0"}, 2, "--grid: 0 is no size: want 1 to 65535"},
		{"grid beyond 32 bits", []string{file, "--grid", "4294967297"}, 2, "--grid: 4294967297 is no size: want 1 to 65535"},
		{"grid no number", []string{file, "--grid", "1.5"}, 2, `invalid argument "1.5" for "--grid" flag: invalid syntax: see jacquard run --help`},
		{"block", []string{file, "--block", "1,1,1,1"}, 2, "--block: want 1 to 3 numbers with commas between, not 4"},
		{"shared", []string{file, "--shared", "-1"}, 2, "--shared -1: want 0 to 16384 bytes"},
		{"shared beyond 32 bits", []string{file, "--shared", "4294967296"}, 2, "--shared 4294967296: want 0 to 16384 bytes"},
		{"two of a name", []string{file, "--arg", "buf:4:name=arg1", "--arg", "buf:4"}, 2, `--arg: two buffers are called "arg1"`},
		{"no folder for statistics", []string{file, "--stats", "/nonexistent/s.json"}, 1, "statistics cannot be written: open /nonexistent/s.json: no such file or directory"},
		{"no folder for a trace", []string{file, "--trace", "/nonexistent/t.jqt"}, 1, "the trace cannot be written: open /nonexistent/t.jqt: no such file or directory"},
		{"no folder for a bundle", []string{file, "--record", "/nonexistent/b.jqb"}, 1, "the bundle cannot be written: open /nonexistent/b.jqb: no such file or directory"},
		{"argument", []string{file, "--arg", "i32"}, 2, `--arg: argument "i32": want TYPE:VALUE or buf:SIZE`},
		{"print", []string{file, "--print", "x"}, 2, `--print "x": the kernel gets no buffer`},
		{"dump", []string{file, "--arg", "buf:4", "--dump", "x=y"}, 2, `--dump: no buffer is called "x": want arg0`},
		{"expect", []string{file, "--expect", "x"}, 2, `--expect "x": want NAME=PATH`},
		{"block too large", []string{file, "--block", "513"}, 1, "launch of kernel vecadd refused: block [513 1 1]: dimension 0 must be 1 to 512 (CUDA_ERROR_INVALID_VALUE)"},
		{"device too old", []string{kernel("daxpy", "sm_13.cubin"), "--device", "8800gtx"}, 1,
			"module: no machine code for sm_10 or an earlier architecture: found only text cubin for sm_13; choose another device with JACQUARD_DEVICE (CUDA_ERROR_NO_BINARY_FOR_GPU)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, answer{c.status, "", "jacquard: " + c.want + "\n"}, jacquard(append([]string{"run"}, c.args...)...))
		})
	}
}

// A run fails if its trace, statistics or bundle could not be written.
func TestRunOntoFullDisk(t *testing.T) {
	if info, err := os.Stat("/dev/full"); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		t.Skip("needs the device /dev/full")
	}
	folder := t.TempDir()
	for flag, name := range map[string]string{"--trace": "t.jqt", "--stats": "s.json", "--record": "b.jqb"} {
		path := filepath.Join(folder, name)
		require.NoError(t, os.Symlink("/dev/full", path))
		a := jacquard(vecadd(flag, path)...)
		require.Equal(t, 1, a.status, flag)
		require.Contains(t, a.err, "write "+path+": no space left on device; nothing more is ", flag)
		require.Equal(t, 1, strings.Count(a.err, "\n"), a.err)
	}
}

func TestRunTakesNoSecondDriver(t *testing.T) {
	t.Setenv("JACQUARD_CROSSCHECK", "/lib/libcuda.so.1")
	a := jacquard(vecadd()...)
	require.Equal(t, 2, a.status)
	require.Equal(t, "jacquard: JACQUARD_CROSSCHECK is for programs: of one kernel, make a bundle with --record, for jacquard replay --against /lib/libcuda.so.1\n", a.err)
}

func TestRunFault(t *testing.T) {
	a := jacquard("run", temporary(t, "loop.cubin", loop), "--watchdog", "1000")
	require.Equal(t, 1, a.status)
	require.Empty(t, a.out)
	require.Regexp(t, `^jacquard: watchdog in kernel loop, block \(0,0\), warp 0, lanes ffffffff, pc 0x0: bra 0x0.* \(CUDA_ERROR_LAUNCH_TIMEOUT\)\n$`, a.err)

	a = jacquard("run", kernel("vecadd", "sm_10.cubin"), "--block", "64", "--arg", "ptr:0", "--arg", "ptr:0", "--arg", "ptr:0", "--arg", "u32:9")
	require.Equal(t, 1, a.status)
	require.Regexp(t, `^jacquard: illegal address in kernel vecadd, .* ld b32 .*\(CUDA_ERROR_ILLEGAL_ADDRESS\)\n$`, a.err)
}

func TestRunTest(t *testing.T) {
	out := fine(t, "run", "--test", kernel("vecadd", "test.json"))
	require.Equal(t, "ok vecadd sm_10 on 8800gtx: 121 warp instructions, 30.15 active lanes\n"+
		"ok vecadd sm_11 on 9800gx2: 121 warp instructions, 30.15 active lanes\n"+
		"ok vecadd sm_12 on gt240: 121 warp instructions, 30.15 active lanes\n"+
		"ok vecadd sm_13 on gtx280: 121 warp instructions, 30.15 active lanes\n"+
		"4 passed, 0 failed\n", out)
}

// Every build of every kernel passes.
func TestRunAllTests(t *testing.T) {
	out := fine(t, "run", "--test", filepath.Dir(kernel("vecadd", "")))
	require.Contains(t, out, "\n73 passed, 0 failed\n")
	require.NotContains(t, out, "FAIL")
	require.Contains(t, out, "ok xorshift sm_13 on gtx280")
}

// One build of a test is a run like another: under a policy, and with files.
func TestRunTestBuild(t *testing.T) {
	dir := t.TempDir()
	file, trace := filepath.Join(dir, "s.json"), filepath.Join(dir, "t.jqt")
	a := jacquard("run", "--test", kernel("nested", ""), "--arch", "sm_11", "--policy", "simty", "--stats", file, "--trace", trace)
	require.Zero(t, a.status, a.err)
	require.Equal(t, "ok nested sm_11 on 9800gx2: 23220 warp instructions, 4.03 active lanes\n1 passed, 0 failed\n", a.out)
	require.Contains(t, a.err, "s.json: 1 launch of 1 kernel; jacquard stats sums them up\n")
	require.Contains(t, a.err, "t.jqt: 23220 warp-instructions of 1 launch; jacquard trace show prints them\n")
	require.Contains(t, fine(t, "stats", file), "nested")
	a = jacquard("run", "--test", kernel("nested", ""), "--arch", "sm_20")
	require.Equal(t, answer{1, "", "jacquard: test nested has no build for sm_20: it has sm_10, sm_11, sm_12, sm_13\n"}, a)
	a = jacquard("run", "--test", dir)
	require.Equal(t, answer{1, "", "jacquard: " + dir + ": there is no test.json in it or in a folder of it\n"}, a)
}

func TestRunTestFails(t *testing.T) {
	text, err := os.ReadFile(kernel("vecadd", "test.json"))
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(kernel("vecadd", ""))))
	path := filepath.Join(dir, "test.json")
	require.NoError(t, os.Remove(path))
	wrong := strings.Replace(string(text), `"expect": "c12ce490 `, `"expect": "c12ce491 `, 1)
	require.NotEqual(t, string(text), wrong)
	require.NoError(t, os.WriteFile(path, []byte(wrong), 0o666))
	a := jacquard("run", "--test", path)
	require.Equal(t, 1, a.status)
	require.Empty(t, a.err)
	require.Contains(t, a.out, "FAIL vecadd sm_10: buffer c: word 0 is 0xc12ce490, want 0xc12ce491; 1 of 256 words differ\n")
	require.Contains(t, a.out, "\n0 passed, 4 failed\n")

	b := jacquard("run", "--test", path, "--json")
	require.Equal(t, 1, b.status)
	require.Equal(t, a.out, b.err)
	events := launchEvents(t, b.out)
	require.Len(t, events, 4)
	for _, e := range events {
		require.Equal(t, "CUDA_SUCCESS", e["result"])
		require.Equal(t, "buffer c: word 0 is 0xc12ce490, want 0xc12ce491; 1 of 256 words differ", e["wrong"])
	}

	b = jacquard("run", "--test", path, "--json", "--watchdog", "10")
	require.Equal(t, 1, b.status)
	require.Contains(t, b.err, "FAIL vecadd sm_10: watchdog in kernel vecadd")
	events = launchEvents(t, b.out)
	require.Len(t, events, 4)
	require.Equal(t, "CUDA_ERROR_LAUNCH_TIMEOUT", events[3]["result"])

	require.NoError(t, os.WriteFile(path, []byte("{}"), 0o666))
	a = jacquard("run", "--test", path)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, path)
}
