package driver_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// scene is a program with one object of every kind. Its next call would succeed.
type scene struct {
	*caller
	ctx     driver.Context
	other   driver.Context // another context, with one object of every kind
	foreign *answers       // its objects
	stale   *answers       // destroyed objects
}

// newScene sets up a program. Mapped host memory is its host memory.
func newScene(t *testing.T, p *program) *scene {
	t.Helper()
	d := driver.New(driver.Config{Settings: knobs.Settings{Device: "gtx280,gtx280"}, Output: io.Discard, GL: newFakeGL()})
	s := &scene{caller: &caller{d: d, answers: new(answers), program: p, thread: d.Thread(0)}}
	require.NoError(t, s.thread.Init(0))
	furnish := func(before int) *answers {
		s.answers = new(answers)
		s.play(t, "CtxCreate")
		for range before { // so that addresses differ from other contexts' addresses
			s.play(t, "MemAlloc")
		}
		s.play(t, "MemAlloc", "ArrayCreate", "StreamCreate", "EventCreate", "ModuleLoadData", "ModuleGetFunction", "TexRefCreate", "LinkCreate", "GraphicsGLRegisterBuffer")
		at, err := s.thread.MemHostAlloc(4096, driver.MemHostAllocDeviceMap)
		require.NoError(t, err)
		s.answers.add(reflect.ValueOf(at))
		return s.answers
	}
	s.stale = furnish(20)
	stale, err := s.thread.CtxPopCurrent()
	require.NoError(t, err)
	require.NoError(t, s.thread.CtxDestroy(stale))
	s.foreign = furnish(40)
	s.other, err = s.thread.CtxPopCurrent()
	require.NoError(t, err)
	own := furnish(0)
	s.play(t, "FuncSetBlockShape", "EventRecord")
	require.NoError(t, s.thread.ParamSeti(newest[driver.Function](own), 0, uint32(newest[driver.DevicePtr](own))))
	require.NoError(t, s.thread.ParamSetSize(newest[driver.Function](own), 4))
	require.NoError(t, s.thread.TexRefSetAddress(newest[driver.TexRef](own), newest[driver.DevicePtr](own), 64, nil))
	s.ctx = newest[driver.Context](own)
	return s
}

func newest[T any](a *answers) T {
	all := a.of(reflect.TypeFor[T]())
	return all[len(all)-1].Interface().(T)
}

// play makes calls with ordinary arguments, which succeed.
func (s *scene) play(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		m, ok := reflect.TypeFor[*driver.Thread]().MethodByName(name)
		require.True(t, ok, name)
		require.Equal(t, driver.Success, s.call(m, s.arguments(m)), name)
	}
}

// befores are the calls that a call needs before it to succeed.
var befores = map[string][]string{
	"CtxPushCurrentV1":        {"CtxPopCurrent"},
	"DevicePrimaryCtxRelease": {"DevicePrimaryCtxRetain"},
	"ContextStorageGet":       {"ContextStoragePut"},
	"ContextStorageDelete":    {"ContextStoragePut"},
	"MemHostUnregister":       {"MemHostRegister"},
	"TexRefGetArray":          {"TexRefSetArray"},
	"LinkComplete":            {"LinkAddData"},

	"GLSetBufferObjectMapFlags": {"GLRegisterBufferObject"},
	"GLUnregisterBufferObject":  {"GLRegisterBufferObject"},
	"GLMapBufferObject":         {"GLRegisterBufferObject"},
	"GLMapBufferObjectAsync":    {"GLRegisterBufferObject"},
	"GLUnmapBufferObject":       {"GLRegisterBufferObject", "GLMapBufferObject"},
	"GLUnmapBufferObjectAsync":  {"GLRegisterBufferObject", "GLMapBufferObject"},

	"GraphicsUnmapResources":            {"GraphicsMapResources"},
	"GraphicsResourceGetMappedPointer":  {"GraphicsMapResources"},
	"GraphicsSubResourceGetMappedArray": {"GraphicsGLRegisterImage", "GraphicsMapResources"},
}

// situations are the possible faults around a call with good arguments.
var situations = []struct {
	name string
	make func(t *testing.T, s *scene)
}{
	{"fine", func(*testing.T, *scene) {}},
	{"early", func(_ *testing.T, s *scene) { // before Init
		s.d = driver.New(driver.Config{Output: io.Discard})
		s.thread = s.d.Thread(0)
	}},
	{"nowhere", func(_ *testing.T, s *scene) { s.thread = s.d.Thread(1) }}, // a thread without a current context
	{"gone", func(t *testing.T, s *scene) { // another thread has destroyed the context
		require.NoError(t, s.d.Thread(1).CtxDestroy(s.ctx))
	}},
	{"ruined", func(t *testing.T, s *scene) { // a kernel has faulted
		th := s.d.Thread(1)
		require.NoError(t, th.CtxPushCurrent(s.ctx))
		m, err := th.ModuleLoadData(readFile(t, "faults.cubin"))
		require.NoError(t, err)
		f, err := th.ModuleGetFunction(m, "wild")
		require.NoError(t, err)
		one := [3]uint32{1, 1, 1}
		require.NoError(t, th.LaunchKernel(f, one, one, 0, 0, driver.Arguments{}))
		s.d.EndThread(1)
	}},
}

// wrongs are the ways in which a handle may be bad.
var wrongs = []struct {
	name string
	make func(s *scene, typ reflect.Type) reflect.Value
}{
	{"null", func(_ *scene, typ reflect.Type) reflect.Value { return reflect.Zero(typ) }},
	{"unknown", func(_ *scene, typ reflect.Type) reflect.Value {
		return reflect.ValueOf(uint32(0xfffffff0)).Convert(typ)
	}},
	{"stale", func(s *scene, typ reflect.Type) reflect.Value { return last(s.stale, typ) }},
	{"kind", func(s *scene, typ reflect.Type) reflect.Value {
		other := reflect.TypeFor[driver.Event]()
		if typ == other {
			other = reflect.TypeFor[driver.Stream]()
		}
		return last(s.answers, other).Convert(typ)
	}},
	{"foreign", func(s *scene, typ reflect.Type) reflect.Value { return last(s.foreign, typ) }},
}

func last(a *answers, typ reflect.Type) reflect.Value {
	all := a.of(typ)
	return all[len(all)-1]
}

// handleTypes are the types to which wrongs apply.
var handleTypes = map[reflect.Type]bool{
	reflect.TypeFor[driver.Context](): true, reflect.TypeFor[driver.Module](): true, reflect.TypeFor[driver.Function](): true,
	reflect.TypeFor[driver.Stream](): true, reflect.TypeFor[driver.Event](): true, reflect.TypeFor[driver.TexRef](): true,
	reflect.TypeFor[driver.Array](): true, reflect.TypeFor[driver.DevicePtr](): true, reflect.TypeFor[uintptr](): true,
	reflect.TypeFor[driver.Link](): true, reflect.TypeFor[driver.GraphicsResource](): true,
}

const errorPathsHead = `# What each call answers: when all is well, before cuInit, on a thread without a context, when another thread has
# destroyed the context, and when a kernel has ruined it. Then, for each handle and address among its arguments, when
# that is NULL, was never given, is destroyed, is of another kind, and belongs to another context.
`

// TestErrorPaths makes every call in every situation, and with every bad handle. The golden file
// has the answers as numbers.
func TestErrorPaths(t *testing.T) {
	p := newProgram(t)
	var text strings.Builder
	text.WriteString(errorPathsHead)
	for _, m := range calls {
		attempt := func(situation func(*testing.T, *scene), spoil func(*scene, []reflect.Value)) driver.Result {
			s := newScene(t, p)
			s.play(t, befores[m.Name]...)
			arguments := s.arguments(m)
			if strings.HasSuffix(m.Name, "PeerAccess") {
				arguments[0] = reflect.ValueOf(s.other)
			}
			situation(t, s)
			spoil(s, arguments)
			return s.call(m, arguments)
		}
		fmt.Fprintf(&text, "%s", m.Name)
		for _, situation := range situations {
			r := attempt(situation.make, func(*scene, []reflect.Value) {})
			fmt.Fprintf(&text, " %s %d", situation.name, int(r))
		}
		for i := 1; i < m.Type.NumIn(); i++ {
			typ := m.Type.In(i)
			if !handleTypes[typ] {
				continue
			}
			fmt.Fprintf(&text, "; %d %s:", i, typ.Name())
			for _, wrong := range wrongs {
				if wrong.name == "stale" && typ == reflect.TypeFor[uintptr]() {
					continue // the system may have given the address to another thread
				}
				r := attempt(situations[0].make, func(s *scene, arguments []reflect.Value) { arguments[i-1] = wrong.make(s, typ) })
				fmt.Fprintf(&text, " %s %d", wrong.name, int(r))
			}
		}
		fmt.Fprintln(&text)
	}
	path := filepath.Join("testdata", "errorpaths.txt")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String())
}
