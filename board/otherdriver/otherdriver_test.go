package otherdriver_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/otherdriver"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/sinks"
	"jacquard/simt/mem/texture"
)

// built is the simulator's own library, in the role of another driver.
var built struct {
	once sync.Once
	dir  string
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(built.dir)
	os.Exit(code)
}

// library returns the path of a libcuda, and skips the test if none can be built.
func library(t testing.TB) string {
	t.Helper()
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "cc"
	}
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("no compiler: %v; install one or set CC", err)
	}
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "otherdriver-"); built.err != nil {
			return
		}
		build := exec.Command("make", "-s", "-C", "../..", "lib", "LIBDIR="+built.dir)
		if out, err := build.CombinedOutput(); err != nil {
			built.err = errors.New(string(out))
		}
	})
	require.NoError(t, built.err)
	return filepath.Join(built.dir, "libcuda.so.1")
}

// open returns the library with a current context. The test stays on its thread.
func open(t testing.TB) (*otherdriver.Driver, otherdriver.Device, otherdriver.Context) {
	t.Helper()
	path := library(t)
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	d := shared.open(t, path)
	require.NoError(t, d.Init())
	n, err := d.Devices()
	require.NoError(t, err)
	require.Equal(t, 1, n)
	dev, err := d.Device(0)
	require.NoError(t, err)
	ctx, err := d.CtxCreate(dev)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.CtxDestroy(ctx)) })
	return d, dev, ctx
}

// shared is the open library: a process can open it only once.
var shared opened

type opened struct{ d *otherdriver.Driver }

func (o *opened) open(t testing.TB, path string) *otherdriver.Driver {
	t.Helper()
	if o.d == nil {
		d, err := otherdriver.Open(path)
		require.NoError(t, err)
		o.d = d
	}
	return o.d
}

func words(w ...uint32) (b []byte) {
	for _, v := range w {
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return b
}

func TestLaunch(t *testing.T) {
	d, dev, ctx := open(t)
	require.Equal(t, 1, dev.Major)
	require.NotEmpty(t, dev.Name)
	version, err := d.Version()
	require.NoError(t, err)
	require.Equal(t, driver.Version, version)
	image, err := os.ReadFile("../../testdata/mesa-kernels/vecadd/sm_10.cubin")
	require.NoError(t, err)
	require.NoError(t, d.CtxSetCurrent(ctx))
	m, err := d.ModuleLoad(image)
	require.NoError(t, err)
	f, err := d.Function(m, "vecadd")
	require.NoError(t, err)
	at, err := d.MemAlloc(3 * 256)
	require.NoError(t, err)
	require.NoError(t, d.Clear(at, 3*256))
	one, two := words(0x3f800000, 0x40000000), words(0x3f800000, 0x3f800000)
	require.NoError(t, d.Write(at, one))
	require.NoError(t, d.Write(at+256, two))
	require.NoError(t, d.Launch(f, [2]int{1, 1}, [3]int{64, 1, 1}, 0, words(uint32(at), uint32(at+256), uint32(at+512), 2)))
	sum := make([]byte, 12)
	require.NoError(t, d.Read(sum, at+512))
	require.Equal(t, words(0x40000000, 0x40400000, 0), sum)
	require.NoError(t, d.MemFree(at))
	require.NoError(t, d.ModuleUnload(m))
}

func TestTextures(t *testing.T) {
	d, _, _ := open(t)
	require.True(t, d.Textures())
	image, err := os.ReadFile("../../libcuda/driver/testdata/textures.cubin")
	require.NoError(t, err)
	m, err := d.ModuleLoad(image)
	require.NoError(t, err)
	f, err := d.Function(m, "sample")
	require.NoError(t, err)
	ref, err := d.TexRef(m, "image")
	require.NoError(t, err)
	out, err := d.MemAlloc(16)
	require.NoError(t, err)
	desc := driver.ArrayDescriptor{Width: 2, Height: 2, Format: driver.FormatUnsignedInt8, Channels: 4}
	a, err := d.ArrayCreate(desc)
	require.NoError(t, err)
	require.NoError(t, d.ArrayWrite(a, desc, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}))
	plane, err := d.MemAlloc(512)
	require.NoError(t, err)
	require.NoError(t, d.Clear(plane, 512))
	require.NoError(t, d.Write(plane+256, words(7, 8, 9, 10)))
	for _, c := range []struct {
		name string
		b    sinks.Binding
		want []byte
	}{
		{"array", sinks.Binding{Texture: texture.Texture{Kind: texture.Array}, Format: uint32(desc.Format), Channels: 4, Flags: driver.TRSFReadAsInteger}, words(13, 14, 15, 16)},
		{"plane", sinks.Binding{Texture: texture.Texture{Kind: texture.Pitched, Width: 2, Height: 2, Pitch: 256}, Format: uint32(driver.FormatUnsignedInt32), Channels: 2, Flags: driver.TRSFReadAsInteger}, words(9, 10, 0, 0)},
	} {
		require.NoError(t, d.Bind(ref, &c.b, plane, a), c.name)
		require.NoError(t, d.Launch(f, [2]int{1, 1}, [3]int{1, 1, 1}, 0, words(uint32(out), 0x3f800000, 0x3f800000, 0)), c.name)
		texel := make([]byte, 16)
		require.NoError(t, d.Read(texel, out), c.name)
		require.Equal(t, c.want, texel[:len(c.want)], c.name)
	}
	require.NoError(t, d.ArrayDestroy(a))
}

func TestErrors(t *testing.T) {
	d, _, _ := open(t)
	_, err := d.ModuleLoad([]byte(".version 1.4\n.target sm_13\n.entry k { ret }\n"))
	require.ErrorContains(t, err, "cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX: PTX:3:")
	require.Equal(t, driver.ErrInvalidPTX, driver.ResultOf(err))
	require.Error(t, d.MemFree(12345))
	require.EqualError(t, d.ModuleUnload(77), "cuModuleUnload: CUDA_ERROR_INVALID_HANDLE")

	later := otherdriver.Error{Call: "cuInit", Result: 803, Name: "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"}
	require.EqualError(t, &later, "cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH")
	old := otherdriver.Error{Call: "cuInit", Result: 803, Log: "many\n  words " + strings.Repeat("é", 200)}
	require.EqualError(t, &old, "cuInit: CUresult 803: many words "+strings.Repeat("é", 74)+" ...")
}

func TestOpenErrors(t *testing.T) {
	path := library(t)
	shared.open(t, path)
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(text, []byte("no library"), 0o666))
	narrow := filepath.Join(dir, "narrow")
	require.NoError(t, os.WriteFile(narrow, []byte("\x7fELF\x01\x01\x01 and so on"), 0o666))
	cut := filepath.Join(dir, "cut")
	require.NoError(t, os.WriteFile(cut, []byte("\x7fELF\x02\x01\x01 and so on"), 0o666))
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(path, link))
	for _, c := range []struct{ path, why string }{
		{filepath.Join(dir, "none"), "there is no such file"},
		{dir, "this is no file: name the library itself, as in DIR/libcuda.so.1"},
		{text, "this is no library: name a libcuda, as in DIR/libcuda.so.1"},
		{narrow, "this library is for programs of 32 bits, and this one has 64"},
		{cut, "cannot be loaded: file too short"},
		{needy(t), "cannot be loaded: libabsent.so: cannot open shared object file: No such file or directory; put the folder of that file into LD_LIBRARY_PATH"},
		{path, "this library is in use by the process already, and would be compared with itself: name another, or a copy"},
		{link, "this library is in use by the process already, and would be compared with itself: name another, or a copy"},
		{cLibrary(t), "lacks cuInit, cuDriverGetVersion, .*: a libcuda of CUDA 4.0 or later is needed"},
	} {
		_, err := otherdriver.Open(c.path)
		var load *otherdriver.LoadError
		require.ErrorAs(t, err, &load, "%s", c.path)
		require.Equal(t, c.path, load.Path)
		require.Regexp(t, "^"+c.why+"$", load.Why)
	}
}

// cLibrary builds a library that is no libcuda.
func cLibrary(t *testing.T) string {
	t.Helper()
	return compile(t, filepath.Join(t.TempDir(), "other.so"))
}

// needy builds a library that links a missing one.
func needy(t *testing.T) string {
	t.Helper()
	absent := compile(t, filepath.Join(t.TempDir(), "libabsent.so"))
	path := compile(t, filepath.Join(t.TempDir(), "needy.so"), "-Wl,--no-as-needed", "-L"+filepath.Dir(absent), "-labsent")
	require.NoError(t, os.Remove(absent))
	return path
}

// compile builds a library of one function.
func compile(t *testing.T, path string, flags ...string) string {
	t.Helper()
	source := path + ".c"
	require.NoError(t, os.WriteFile(source, []byte("int other(void) { return 1; }\n"), 0o666))
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "cc"
	}
	out, err := exec.Command(compiler, append([]string{"-shared", "-fPIC", "-o", path, source}, flags...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}
