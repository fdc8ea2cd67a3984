package driver_test

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// output collects log lines; several threads may write.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// fresh returns a driver before Init, its first thread and its log.
func fresh(s knobs.Settings) (*driver.Driver, *driver.Thread, *output) {
	log := new(output)
	d := driver.New(driver.Config{Settings: s, Output: log})
	return d, d.Thread(1), log
}

// start returns an initialised driver and its first thread.
func start(t *testing.T, s knobs.Settings) (*driver.Driver, *driver.Thread, *output) {
	t.Helper()
	d, th, log := fresh(s)
	require.NoError(t, th.Init(0))
	return d, th, log
}

// current returns a thread with a context on the default device.
func current(t *testing.T) (*driver.Thread, driver.Context) {
	t.Helper()
	_, th, _ := start(t, knobs.Settings{})
	return th, create(t, th)
}

func create(t *testing.T, th *driver.Thread) driver.Context {
	t.Helper()
	ctx, err := th.CtxCreate(0, 0)
	require.NoError(t, err)
	require.NotZero(t, ctx)
	return ctx
}

// read returns a file of testdata.
func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return data
}

// load loads a file of testdata.
func load(t *testing.T, th *driver.Thread, name string) driver.Module {
	t.Helper()
	m, err := th.ModuleLoadData(read(t, name))
	require.NoError(t, err)
	return m
}

// is checks that a call answered want.
func is(t *testing.T, want driver.Result, err error, what ...any) {
	t.Helper()
	require.Equal(t, want, driver.ResultOf(err), what...)
}

// logs are buffers for the logs of a load or a link.
type logs struct{ info, errors []byte }

func newLogs() *logs { return &logs{bytes.Repeat([]byte{'x'}, 4096), bytes.Repeat([]byte{'x'}, 4096)} }

func (l *logs) options(given ...driver.JITValue) driver.JITOptions {
	return driver.JITOptions{Given: given, InfoLog: l.info, ErrorLog: l.errors}
}

// texts returns both logs, which a NUL ends.
func (l *logs) texts(t *testing.T) (texts [2]string) {
	t.Helper()
	for i, b := range [][]byte{l.info, l.errors} {
		text, _, ended := bytes.Cut(b, []byte{0})
		require.True(t, ended)
		texts[i] = string(text)
	}
	return texts
}
