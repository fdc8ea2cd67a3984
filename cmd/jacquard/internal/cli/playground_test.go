package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/study/kerneltest"
)

const testdata = "../../../../testdata/"

// playOf returns the flags of a command with no options.
func playOf() *playFlags {
	f := &playFlags{}
	f.grid, f.block = []int{1}, []int{32}
	return f
}

func TestPlayLoads(t *testing.T) {
	jqt := filepath.Join(t.TempDir(), "t.jqt")
	require.Zero(t, Main([]string{"run", "--test", testdata + "lessons/01-if", "--trace", jqt}, Streams{Out: io.Discard, Err: io.Discard}))
	for _, c := range []struct {
		name, path    string
		file, starts  string
		kernel        string
		params, trace int
	}{
		{"assembly", testdata + "lessons/01-if/if.s", "kernel.s", "// out[i]", "branch", 0, 0},
		{"PTX", testdata + "ptx/reduce.ptx", "kernel.ptx", "// y[block]", "reduce", 3, 0},
		{"test of a text", testdata + "lessons/01-if", "if.s", "// out[i]", "branch", 1, 0},
		{"test of a cubin", testdata + "mesa-kernels/nested/test.json", "kernel.s", ".module sm_13", "nested", 3, 0},
		{"cubin", testdata + "mesa-kernels/vecadd/sm_10.cubin", "kernel.s", ".module sm_10", "vecadd", 0, 0},
		{"trace", jqt, "", "", "", 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := playOf().state(newPlay(), []string{c.path})
			require.NoError(t, err)
			if c.trace == 1 {
				require.NotEmpty(t, s.Trace)
				return
			}
			require.Equal(t, c.kernel, s.Test.Name)
			require.Equal(t, c.file, s.Test.Builds[0].File)
			require.Len(t, s.Test.Params, c.params)
			require.Equal(t, c.starts, s.Text[:len(c.starts)])
			require.Empty(t, s.Check().Problems)
			data, err := s.Test.MarshalJSON()
			require.NoError(t, err)
			_, err = kerneltest.Parse(data)
			require.NoError(t, err)
		})
	}
}

// Arguments and shape are written as for "jacquard run", and the kernel gives the same result.
func TestPlayArguments(t *testing.T) {
	f := playOf()
	f.grid, f.block, f.policies = []int{4}, []int{64}, []string{"stackless"}
	f.args = []string{"buf:1k:pattern=3f800000", "buf:1k:pattern=40000000", "buf:1023:name=sum", "u32:256"}
	s, err := f.state(newPlay(), []string{testdata + "mesa-kernels/vecadd/sm_10.cubin", "vecadd"})
	require.NoError(t, err)
	require.Equal(t, []string{"stackless"}, s.Policies)
	r, err := s.Run(context.Background(), "stackless")
	require.NoError(t, err)
	require.Empty(t, r.Error)
	require.Equal(t, "sum", r.Memory[2].Name)
	require.Equal(t, bytes.Repeat([]byte{0, 0, 0x40, 0x40}, 256), r.Memory[2].Bytes)
}

func TestPlayErrors(t *testing.T) {
	for _, c := range []struct {
		name, path, want string
		change           func(*playFlags)
	}{
		{"no file", "/nonexistent/x.s", "no such file or directory", nil},
		{"many tests", testdata + "lessons", "lessons has 10 tests: name one", nil},
		{"no build", testdata + "lessons/01-if", "test branch has no build for sm_10", func(f *playFlags) { f.arch = "sm_10" }},
		{"no policy", testdata + "lessons/01-if", `--policies "magic": want nvidia, stackless`, func(f *playFlags) { f.policies = []string{"magic"} }},
		{"many policies", testdata + "lessons/01-if", "--policies: the page runs up to 4, and these are 5", func(f *playFlags) { f.policies = make([]string, 5) }},
		{"no trace", testdata + "lessons/01-if/if.s", "if.jqt", func(*playFlags) {}},
		{"argument", testdata + "lessons/01-if/if.s", `--arg: argument "x"`, func(f *playFlags) { f.args = []string{"x"} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, path := playOf(), c.path
			if c.name == "no trace" {
				path = filepath.Join(t.TempDir(), "if.jqt")
				require.NoError(t, os.WriteFile(path, []byte("no trace"), 0o666))
			}
			if c.change != nil {
				c.change(f)
			}
			_, err := f.state(newPlay(), []string{path})
			require.ErrorContains(t, err, c.want)
		})
	}
	var complaint bytes.Buffer
	require.Equal(t, 1, Main([]string{"play", "--page", t.TempDir(), "--no-browser"}, Streams{Out: io.Discard, Err: &complaint}))
	require.Contains(t, complaint.String(), "there is no playground in it: make playground builds one, and --page names its folder")
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "index.html"), []byte("another page"), 0o666))
	complaint.Reset()
	require.Equal(t, 1, Main([]string{"play", testdata + "lessons/01-if", "--page", folder, "--no-browser"}, Streams{Out: io.Discard, Err: &complaint}))
	require.Contains(t, complaint.String(), "no page of the playground: it has no place for a kernel")
	trace := filepath.Join(folder, "t.jqt")
	require.NoError(t, os.WriteFile(trace, nil, 0o666))
	for want, args := range map[string][]string{
		"a test does not go with --arg":              {testdata + "lessons/01-if", "--arg", "u32:1"},
		"a trace does not go with --block":           {trace, "--block", "4"},
		"t.jqt names its kernel":                     {trace, "foo"},
		"without a FILE does not go with --policies": {"--policies", "nvidia"},
		"without a FILE does not go with --arg":      {"--arg", "u32:1", "--block", "4"},
	} {
		complaint.Reset()
		require.Equal(t, 2, Main(append([]string{"play", "--page", folder, "--no-browser"}, args...), Streams{Out: io.Discard, Err: &complaint}), args)
		require.Contains(t, complaint.String(), want)
	}
}

// The server has the folder's files and the page with the loaded file, and answers to names of
// this machine only.
func TestPlayServes(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "index.html"), []byte("before"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "page.js"), []byte("script"), 0o666))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, l, folder, []byte("loaded")) }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	get := func(path, host string) (int, string) {
		r, err := http.NewRequest(http.MethodGet, "http://"+l.Addr().String()+path, nil)
		require.NoError(t, err)
		r.Host = host
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, string(body)
	}
	for _, c := range []struct {
		path, host string
		status     int
		body       string
	}{
		{"/", "127.0.0.1:" + port, 200, "loaded"},
		{"/index.html", "localhost:" + port, 200, "loaded"},
		{"/page.js", "localhost", 200, "script"},
		{"/none.js", "localhost", 404, "404 page not found\n"},
		{"/", "example.org", 421, fmt.Sprintf("this server is http://127.0.0.1:%s/\n", port)},
	} {
		status, body := get(c.path, c.host)
		require.Equal(t, c.status, status, c)
		require.Equal(t, c.body, body, c)
	}
	cancel()
	require.NoError(t, <-ended)
}
