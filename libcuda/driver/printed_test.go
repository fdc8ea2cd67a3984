package driver_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// printing loads the module say in a driver whose outputs are kept, with a shadow of its memory.
type printing struct {
	*driver.Thread
	module              driver.Module
	stdout, stderr, log bytes.Buffer
	out                 driver.DevicePtr
	shadow              *shadow
}

func newPrinting(t *testing.T) *printing {
	t.Helper()
	p := &printing{shadow: newShadow()}
	d := driver.New(driver.Config{
		Settings: knobs.Settings{Device: "gtx280", Workers: "1"}, Output: &p.log, Stdout: &p.stdout, Stderr: &p.stderr,
		Listener: func(knobs.Settings) (driver.Listener, error) { return p.shadow, nil },
	})
	p.Thread = d.Thread(1)
	require.NoError(t, p.Init(0))
	create(t, p.Thread)
	var err error
	p.module, err = p.ModuleLoadData(readFile(t, "ptx/say.ptx"))
	require.NoError(t, err)
	p.out = alloc(t, p.Thread, 4*64)
	return p
}

// launch runs a kernel in one block.
func (p *printing) launch(t *testing.T, kernel string, threads, n uint32) {
	t.Helper()
	f, err := p.ModuleGetFunction(p.module, kernel)
	require.NoError(t, err)
	args := driver.Arguments{Packed: words(uint32(p.out), 0, n)}
	require.NoError(t, p.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{threads, 1, 1}, 0, 0, args))
}

func TestPrintf(t *testing.T) {
	p := newPrinting(t)
	for round := range 3 {
		p.stdout.Reset()
		p.launch(t, "say", 3, uint32(round))
		require.Equal(t, fmt.Sprintf("thread  0 of %[1]d: constant, a, 0x100000000%%\n"+
			"thread  1 of %[1]d: words, b, 0x200000000%%\nthread  2 of %[1]d: words, c, 0x400000000%%\n", round), p.stdout.String())
		require.Equal(t, words(5, 5, 5), fetch(t, p.Thread, p.out, 12))
	}
	require.Empty(t, p.stderr.String())
	require.Empty(t, p.log.String())
	require.Empty(t, p.shadow.wrong)
}

func TestAssert(t *testing.T) {
	p := newPrinting(t)
	p.launch(t, "check", 64, 64)
	require.Equal(t, words(7, 7, 7), fetch(t, p.Thread, p.out, 12))
	require.Empty(t, p.stderr.String())
	p.launch(t, "check", 64, 62)
	is(t, driver.ErrAssert, p.CtxSynchronize())
	require.Equal(t, "before\nbefore\n", p.stdout.String())
	const line = "say.cu:15: check: block: [0,0,0], thread: [%d,0,0] Assertion `t < n` failed.\n"
	require.Equal(t, fmt.Sprintf(line, 62)+fmt.Sprintf(line, 63), p.stderr.String())
	require.Contains(t, p.log.String(), "trap in kernel check")
	require.Empty(t, p.shadow.wrong)
}

// Records that a program writes into the buffer itself do no harm.
func TestBrokenRecords(t *testing.T) {
	p := newPrinting(t)
	at, size, err := p.ModuleGetGlobal(p.module, "__jacquard_output")
	require.NoError(t, err)
	require.Equal(t, uint64(16+1<<20), size)
	record := words(100, 7, 0, 0, 0x4b8c5d17, 0x7ffffff0, 0, 0, 0x4b8c5d17, 12, 0xfffffff0, 0x4b8c5d18, 44, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	require.NoError(t, p.MemcpyHtoD(at, record))
	p.launch(t, "say", 1, 1)
	require.True(t, strings.HasSuffix(p.stdout.String(), "thread  0 of 1: constant, a, 0x100000000%\n"), p.stdout.String())
	require.Contains(t, p.stderr.String(), "Assertion `(no string at 0x1)` failed.")
	require.Contains(t, p.log.String(), "7 calls of printf found no room")
	p.stdout.Reset()
	p.launch(t, "say", 1, 1)
	require.Equal(t, "thread  0 of 1: constant, a, 0x100000000%\n", p.stdout.String())
}
