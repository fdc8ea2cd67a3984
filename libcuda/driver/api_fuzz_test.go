package driver_test

import (
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// A script is one byte, which says whether the program has begun already, and a sequence of calls.
// A call is its number, the thread, the number of choices, and the choices.
const (
	maxCalls   = 300
	maxChoices = 32
	threads    = 3
	endThread  = 0xff // in place of a thread: thread 1 ends
	underWay   = 1
)

// beginning is the calls of a program that has begun.
var beginning = calling("Init", "CtxCreate", "MemAlloc", "ArrayCreate", "StreamCreate", "EventCreate", "ModuleLoadDataEx", "ModuleGetTexRef", "ModuleGetFunction")

// FuzzCalls plays scripts: any calls in any order by several threads, with arguments that mostly
// make sense. No call panics; each answers one of its results in testdata/results.txt; the listener
// knows the memory of each launch; nothing of the program remains at the end.
func FuzzCalls(f *testing.F) {
	for _, s := range scripts {
		f.Add(append([]byte{0}, s.encode(f)...))
	}
	p := newPlayer(f)
	f.Fuzz(p.play)
}

// TestRandomCalls plays random scripts, the same in each run.
func TestRandomCalls(t *testing.T) {
	p := newPlayer(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		p.play(t, append([]byte{underWay}, randomCalls(random)...))
	}
}

// randomCalls makes a script.
func randomCalls(random *rand.Rand) (script []byte) {
	for range 1 + random.IntN(maxCalls) {
		script = append(script, byte(random.Uint32()), byte(random.Uint32()*random.Uint32N(2)), maxChoices-1)
		for range maxChoices - 1 {
			// Two of three are ordinary.
			script = append(script, byte(random.Uint32()*(random.Uint32N(3)/2)))
		}
	}
	return script
}

// TestRandomCallsAtOnce plays scripts at the same time on one driver, with each other's handles.
// The order of calls is random; the checks of each call hold in any order.
func TestRandomCallsAtOnce(t *testing.T) {
	const players = 8
	p := newPlayer(t)
	d := driver.New(driver.Config{Settings: knobs.Settings{Device: "gtx280,8800gtx", Watchdog: "5000"}, Output: io.Discard, GL: newFakeGL()})
	shared := new(answers)
	var done sync.WaitGroup
	for i := range players {
		random := rand.New(rand.NewPCG(3, uint64(i)))
		c := &caller{d: d, answers: shared, program: newProgram(t)}
		done.Go(func() {
			for range 10 {
				p.calls(t, c, append(slices.Clip(p.start), randomCalls(random)...), uint64(i)*threads)
			}
		})
	}
	done.Wait()
	c := &caller{d: d, answers: shared}
	for i := range uint64(players * threads) {
		d.EndThread(i)
	}
	c.leave(t)
}

// player plays scripts.
type player struct {
	program *program
	results map[string]map[driver.Result]bool // possible results, by call
	start   []byte
}

func newPlayer(t testing.TB) *player {
	return &player{newProgram(t), readResults(t), beginning.encode(t)}
}

func (p *player) play(t *testing.T, script []byte) {
	clear(p.program.host[:p.program.usable])
	s := newShadow()
	d := driver.New(driver.Config{
		Settings: knobs.Settings{Device: "gtx280,8800gtx", Watchdog: "5000"}, Output: io.Discard, GL: newFakeGL(),
		Listener: func(knobs.Settings) (driver.Listener, error) { return s, nil },
	})
	c := &caller{d: d, answers: new(answers), program: p.program}
	if len(script) > 0 && script[0]&underWay != 0 {
		script = append(slices.Clip(p.start), script[1:]...)
	} else {
		script = script[min(1, len(script)):]
	}
	p.calls(t, c, script, 0)
	c.leave(t)
	require.Empty(t, s.wrong, "what the listener was told is not what launches found")
	require.Empty(t, s.contexts)
}

// calls makes the calls of a script; base is its first thread.
func (p *player) calls(t *testing.T, c *caller, script []byte, base uint64) {
	for n := 0; len(script) >= 3 && n < maxCalls; n++ {
		m, thread, choices := calls[int(script[0])%len(calls)], script[1], int(script[2])%maxChoices
		if thread == endThread {
			c.d.EndThread(base + 1)
		}
		c.thread = c.d.Thread(base + uint64(thread)%threads)
		script = script[3:]
		c.choices, script = script[:min(choices, len(script))], script[min(choices, len(script)):]
		arguments := c.arguments(m)
		if r := c.call(m, arguments); !p.results[m.Name][r] {
			t.Errorf("%s answered %v, which it never does, for %v", m.Name, r, values(arguments))
		}
	}
}

// values are arguments as they print.
func values(arguments []reflect.Value) (all []any) {
	for _, v := range arguments {
		all = append(all, v.Interface())
	}
	return all
}

// leave destroys everything that the calls have made, and checks that nothing remains.
func (c *caller) leave(t *testing.T) {
	c.thread = c.d.Thread(0)
	if c.thread.Init(0) != nil {
		return
	}
	contexts := c.answers.of(reflect.TypeFor[driver.Context]())
	for _, v := range contexts {
		if c.thread.CtxPushCurrent(driver.Context(v.Uint())) != nil {
			continue // destroyed
		}
		if c.thread.CtxSynchronize() == nil {
			c.free(t)
		}
		_, err := c.thread.CtxPopCurrent()
		require.NoError(t, err)
	}
	for _, v := range contexts {
		// The context may be destroyed already, or a primary one.
		_ = c.thread.CtxDestroy(driver.Context(v.Uint()))
	}
	count, err := c.thread.DeviceGetCount()
	require.NoError(t, err)
	for i := range count {
		require.NoError(t, c.thread.DevicePrimaryCtxReset(driver.Device(i)))
	}
	for i := range threads {
		c.d.EndThread(uint64(i))
	}
	require.Zero(t, c.d.Held())
}

// free frees all memory of the current context, and checks that the device has it again.
func (c *caller) free(t *testing.T) {
	for _, v := range c.answers.of(reflect.TypeFor[driver.Module]()) {
		_ = c.thread.ModuleUnload(driver.Module(v.Uint())) // each may belong to another context
	}
	c.unshare()
	for _, v := range c.answers.of(reflect.TypeFor[driver.Array]()) {
		_ = c.thread.ArrayDestroy(driver.Array(v.Uint()))
	}
	for _, v := range c.answers.of(reflect.TypeFor[driver.DevicePtr]()) {
		_ = c.thread.MemFree(driver.DevicePtr(v.Uint()))
	}
	free, total, err := c.thread.MemGetInfo()
	require.NoError(t, err)
	require.Equal(t, total, free, "device memory is lost")
}

// unshare ends the sharing of all of OpenGL's objects with the current context.
func (c *caller) unshare() {
	for _, v := range c.answers.of(reflect.TypeFor[driver.GraphicsResource]()) {
		r := driver.GraphicsResource(v.Uint())
		_ = c.thread.GraphicsUnmapResources([]driver.GraphicsResource{r}, 0) // it may not be mapped
		_ = c.thread.GraphicsUnregisterResource(r)                           // it may be gone
	}
	for _, buffer := range []uint32{someBuffer, otherBuffer} {
		_ = c.thread.GLUnmapBufferObject(buffer)
		_ = c.thread.GLUnregisterBufferObject(buffer)
	}
}

// readResults reads the possible results of each call.
func readResults(t testing.TB) map[string]map[driver.Result]bool {
	t.Helper()
	byName := map[string]driver.Result{}
	for r := range driver.Result(1000) {
		byName[strings.TrimPrefix(strings.TrimPrefix(r.Error(), "CUDA_"), "ERROR_")] = r
	}
	text, err := os.ReadFile("testdata/results.txt")
	require.NoError(t, err)
	groups, all := map[string][]string{}, map[string]map[driver.Result]bool{}
	for line := range strings.Lines(string(text)) {
		name, list, found := strings.Cut(strings.TrimSpace(line), ":")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		names := strings.Fields(list)
		for i := 0; i < len(names); i++ {
			names = append(names, groups[names[i]]...)
		}
		if strings.ToLower(name) == name {
			groups[name] = names
			continue
		}
		all[name] = map[driver.Result]bool{driver.Success: true}
		for _, n := range names {
			if _, isGroup := groups[n]; !isGroup {
				r, known := byName[n]
				require.True(t, known, "%s: no result %s", name, n)
				all[name][r] = true
			}
		}
	}
	return all
}

// TestResultsOfEveryCall checks that the list of results names exactly the calls.
func TestResultsOfEveryCall(t *testing.T) {
	results := readResults(t)
	for _, m := range calls {
		require.Contains(t, results, m.Name)
		delete(results, m.Name)
	}
	require.Empty(t, results, "no such calls")
}
