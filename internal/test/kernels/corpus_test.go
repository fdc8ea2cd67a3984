package kernels

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

const (
	filler = 0xdeadbeef
	// watchdog is in issues. The longest run takes some ten thousand, and 32 times that with each
	// lane alone.
	watchdog = 1_000_000
)

// inStep names the kernels whose lanes write for other lanes of their warp without a barrier. They
// are right only if the lanes of a warp stay in lockstep; otherwise the statistics say so.
var inStep = map[string]bool{"test28": true, "test28pred": true}

// TestCorpus runs every kernel under every policy on every architecture. The cubins are for sm_10,
// which all devices run.
func TestCorpus(t *testing.T) {
	const corpus = "../../../../shared/corpus"
	if _, err := os.Stat(corpus); errors.Is(err, os.ErrNotExist) {
		t.Skip("no third-party cubins beside the repository, in ../shared/corpus")
	}
	for _, e := range loadCorpus(t) {
		data, err := os.ReadFile(filepath.Join(corpus, e.File))
		require.NoError(t, err)
		img, err := cubin.Parse(data)
		require.NoError(t, err)
		for i, r := range e.Runs {
			name := e.Name + "/run " + strconv.Itoa(i)
			for _, device := range tesla.Archs[img.Arch:] {
				for _, policy := range branch.Policies() {
					t.Run(name+" on "+device.String()+" under "+policy.Name, func(t *testing.T) {
						e.launch(t, img, &r, device, policy.Name)
					})
				}
			}
		}
	}
}

// launch carries out one run and checks its end and its results.
func (e *entry) launch(t *testing.T, img *cubin.Image, r *run, device tesla.Arch, policy string) {
	words := r.words(t)
	l, buffers := e.prepare(t, img, words, device)
	l.Policy = policy
	stats, err := simt.Run(l)
	if refused(err) {
		return
	}
	// any result will do: the statistics warn the user
	if inStep[e.Name] && policy == "mimd" && stats.InStep != nil {
		return
	}
	if r.End != "" {
		var f *simt.Fault
		require.ErrorAs(t, err, &f)
		require.Equal(t, faults[r.End], f.Kind, f.Error())
		require.True(t, stats.Incomplete)
		if f.Kind != simt.FaultLivelock {
			require.Equal(t, r.PC, f.PC, f.Error())
		}
		return
	}
	require.NoError(t, err)
	if e.Issues > 0 && policy == branch.Default {
		require.Equal(t, e.Issues, stats.WarpInstructions)
	}
	if onlyEnds[e.Name] {
		return
	}
	ref := references[e.Name]
	ref.want(state{e.Block, e.Grid, words})
	for name, at := range buffers {
		got := toWords(contents(t, l.Global, at, 4*len(words[name])))
		for i, want := range words[name] {
			if !ref.agree(got[i], want) {
				require.Failf(t, "wrong result", "%s[%d] is %08x, want %08x", name, i, got[i], want)
			}
		}
	}
}

// prepare returns the launch of a run with the given words, and the addresses of the buffers. It
// completes words.
func (e *entry) prepare(t *testing.T, img *cubin.Image, words map[string][]uint32, device tesla.Arch) (*simt.Launch, map[string]uint32) {
	t.Helper()
	l := &simt.Launch{
		Program:  program(t, img, e.Kernel, device),
		Grid:     e.Grid,
		Block:    e.Block,
		Global:   mem.NewSpace(memoryBytes),
		Const:    banks(t, img, e.Kernel),
		Textures: corpusTextures(),
		Watchdog: watchdog,
	}
	return l, e.place(t, l, img, words)
}

// place copies words to the launch's parameter block, buffers and constants, and returns the
// addresses of the buffers. It completes words with the filler.
func (e *entry) place(t *testing.T, l *simt.Launch, img *cubin.Image, words map[string][]uint32) map[string]uint32 {
	t.Helper()
	left := len(words)
	for _, v := range img.Constants {
		if given, ok := words[v.Name]; ok {
			require.LessOrEqual(t, 4*len(given), v.Bytes, v.Name)
			copy(l.Const[0][v.Offset:], toBytes(given))
			left--
		}
	}
	buffers := map[string]uint32{}
	for _, p := range e.Params {
		given, ok := words[p.Name]
		if ok {
			left--
		}
		require.LessOrEqual(t, len(given), p.Words, p.Name)
		for len(given) < p.Words {
			given = append(given, filler)
		}
		words[p.Name] = given
		passed := given
		if p.Buffer {
			buffers[p.Name] = allocate(t, l.Global, toBytes(given))
			passed = []uint32{buffers[p.Name], 0} // a 64-bit pointer; the code reads its low word
		}
		if grow := p.Offset + 4*len(passed) - len(l.Params); grow > 0 {
			l.Params = append(l.Params, make([]byte, grow)...)
		}
		copy(l.Params[p.Offset:], toBytes(passed))
	}
	require.Zero(t, left, "%s has no such parameter or constant", e.Name)
	return buffers
}
