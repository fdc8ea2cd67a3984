package bundle

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// frameOf is a frame of a bundle.
type frameOf struct {
	kind    kind
	number  uint32
	payload []byte
}

func (f *frameOf) described(text, data string) []byte {
	return append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...), data...)
}

// start is a module and a kernel.
const (
	moduleText = `{"architecture":"sm_13","variables":[]}`
	kernelText = `{"module":0,"name":"k","banks":[],"textures":[]}`
	launchText = `{"kernel":0,"context":0,"grid":[1,1],"block":[1,1,1],"shared":0,"params":"","textures":[],"objects":[]}`
)

// readFrames reads a bundle of a module, a kernel and frames.
func readFrames(t *testing.T, frames ...frameOf) error {
	t.Helper()
	z, err := newEncoder()
	require.NoError(t, err)
	data := append([]byte(magic), Version, 0, 0, 0, 0, 0, 0, 0)
	f := &frameOf{}
	for _, f := range append([]frameOf{{kindModule, 0, f.described(moduleText, "image")}, {kindKernel, 0, f.described(kernelText, "")}}, frames...) {
		data = append(data, appendFrame(nil, z, header{kind: f.kind, number: f.number}, f.payload)...)
	}
	r, err := NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	defer r.Close()
	for {
		if _, err = r.Next(); err != nil {
			return err
		}
	}
}

// Numbers beyond the limits of the format and the architecture are refused.
func TestLimits(t *testing.T) {
	f := &frameOf{}
	launch := func(old, new string) []frameOf {
		require.Contains(t, launchText, old)
		return []frameOf{{kindLaunch, 0, f.described(strings.Replace(launchText, old, new, 1), "")}}
	}
	kernel := func(old, new string) []frameOf {
		require.Contains(t, kernelText, old)
		return []frameOf{{kindKernel, 1, f.described(strings.Replace(kernelText, old, new, 1), "")}}
	}
	made := func(bytes int) []byte {
		return f.described(fmt.Sprintf(`{"context":0,"made":[{"number":0,"kind":"array","address":1,"bytes":%d}]}`, bytes), "")
	}
	var running []frameOf
	for n := range uint32(mostBegun + 2) {
		running = append(running, frameOf{kindLaunch, n, f.described(launchText, "")})
	}
	var outputs []frameOf // more than the limit, of one page
	outputs = append(outputs, frameOf{kindObjects, 0, made(4096)}, launch(`"objects":[]`, `"objects":[0]`)[0])
	for range leastMostMemory/(mostRuns-16) + 2 {
		var runs []byte
		for len(runs)+runHeader+4096 <= mostRuns {
			runs = appendRun(runs, 0, 0, make([]byte, 4096))
		}
		outputs = append(outputs, frameOf{kindOutputs, 0, runs})
	}
	var freed []frameOf // by launches that have not ended
	for n := range uint32(10) {
		freed = append(freed, frameOf{kindObjects, n, made(leastMostMemory / 5)}, frameOf{kindLaunch, n, f.described(strings.Replace(launchText, `"objects":[]`, `"objects":[0]`, 1), "")})
		freed = append(freed, frameOf{kindObjects, 1000 + n, f.described(`{"context":0,"freed":[0]}`, "")})
	}
	var modules []frameOf
	for n := range uint32(30) {
		modules = append(modules, frameOf{kindModule, n + 1, f.described(moduleText, string(make([]byte, 4<<20)))})
	}
	for name, c := range map[string]struct {
		frames []frameOf
		want   string
	}{
		"block":         {launch(`[1,1,1]`, `[1000000000,1,1]`), "no device runs them"},
		"threads":       {launch(`[1,1,1]`, `[512,2,1]`), "no device runs them"},
		"depth":         {launch(`[1,1,1]`, `[1,1,65]`), "no device runs them"},
		"no threads":    {launch(`[1,1,1]`, `[1,0,1]`), "no device runs them"},
		"grid":          {launch(`"grid":[1,1]`, `"grid":[1,65536]`), "no device runs it"},
		"no blocks":     {launch(`"grid":[1,1]`, `"grid":[1,-1]`), "no device runs it"},
		"shared":        {launch(`"shared":0`, `"shared":16385`), "no device has them"},
		"parameters":    {launch(`"params":""`, `"params":"`+strings.Repeat("00", 257)+`"`), "257 of parameters"},
		"a unit":        {launch(`"textures":[]`, `"textures":[{"unit":1000000000}]`), "texture unit 1000000000"},
		"units":         {launch(`"textures":[]`, `"textures":[{}`+strings.Repeat(`,{}`, 128)+`]`), "129 textures"},
		"a bank":        {kernel(`"banks":[]`, `"banks":[{"bank":16,"bytes":1}]`), "impossible bank 16"},
		"bytes":         {kernel(`"banks":[]`, `"banks":[{"bank":1,"bytes":65537,"address":4096}]`), "impossible bank 1 of 65537"},
		"a bank twice":  {kernel(`"banks":[]`, `"banks":[{"bank":1},{"bank":1}]`), "impossible bank 1 of 0"},
		"texture names": {kernel(`"textures":[]`, `"textures":[""`+strings.Repeat(`,""`, 128)+`]`), "129 texture units"},
		"elements":      {launch(`"objects":[]`, `"objects":[0`+strings.Repeat(",0", mostElements)+`]`), "more than 524288 elements"},
		"an object":     {[]frameOf{{kindObjects, 0, made(leastMostMemory)}}, "more than the 100663296 bytes"},
		"twice":         {[]frameOf{{kindObjects, 0, made(16)}, launch(`"objects":[]`, `"objects":[0,0]`)[0]}, "sees object 0 twice"},
		"launches":      {running, "more than 4096 launches at the same time"},
		"begun twice":   {append(launch("", ""), frameOf{kindObjects, 0, made(16)}), "begins twice"},
		"outputs":       {outputs, "launch 0 changes memory: more than the 100663296 bytes"},
		"freed objects": {freed, "more than the 100663296 bytes"},
		"modules":       {modules, "more than the 100663296 bytes"},
		"large pages":   {[]frameOf{{kindInputs, 0, make([]byte, mostRuns+1)}}, "larger than any"},
		"large launch":  {[]frameOf{{kindLaunch, 0, make([]byte, mostPayload+1)}}, "larger than any"},
		"large module":  {[]frameOf{{kindModule, 1, make([]byte, mostImage+1)}}, "larger than any"},
		"empty pages":   {[]frameOf{{kindObjects, 0, made(16)}, {kindInputs, 0, appendRun(nil, 0, 0, nil)}}, "pages without content"},
	} {
		t.Run(name, func(t *testing.T) {
			err := readFrames(t, c.frames...)
			var bad *FormatError
			require.ErrorAs(t, err, &bad)
			require.ErrorContains(t, err, c.want)
			require.Positive(t, bad.Offset)
		})
	}
}

// The reader frees a launch's outputs at the next launch: a long bundle takes no more memory than a
// short one.
func TestLongBundle(t *testing.T) {
	f := &frameOf{}
	frames := []frameOf{{kindObjects, 0, f.described(`{"context":0,"made":[{"number":0,"kind":"array","address":1,"bytes":2097152}]}`, "")}}
	page := make([]byte, 2<<20)
	for n := range uint32(100) {
		frames = append(frames, frameOf{kindLaunch, n, f.described(strings.Replace(launchText, `"objects":[]`, `"objects":[0]`, 1), "")},
			frameOf{kindOutputs, n, appendRun(nil, 0, 0, page)}, frameOf{kindEnd, n, f.described(`{"result":"CUDA_SUCCESS"}`, "")},
			frameOf{kindObjects, n + 1, f.described(`{"context":0,"freed":[0],"made":[{"number":1,"kind":"array","address":1,"bytes":2097152}]}`, "")},
			frameOf{kindObjects, n + 1, f.described(`{"context":0,"freed":[1],"made":[{"number":0,"kind":"array","address":1,"bytes":2097152}]}`, "")})
	}
	frames = append(frames, frameOf{kindLaunch, 100, f.described(launchText, "")}, frameOf{kindEnd, 100, f.described(`{"result":"CUDA_SUCCESS"}`, "")})
	require.EqualError(t, readFrames(t, frames...), "EOF")
}

// The size of the file raises the reader's limit. A file that is no bundle is closed.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jqb")
	require.NoError(t, os.WriteFile(path, []byte("something else, longer than a header"), 0o666))
	_, err := Open(path)
	var bad *FormatError
	require.ErrorAs(t, err, &bad)
	fds, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	if len(fds) == 0 {
		t.Skip("no /proc")
	}
	for _, fd := range fds {
		to, _ := os.Readlink(fd)
		require.NotEqual(t, path, to, "the file is open")
	}

	require.NoError(t, os.WriteFile(path, append([]byte(magic), Version, 0, 0, 0, 0, 0, 0, 0), 0o666))
	r, err := Open(path)
	require.NoError(t, err)
	require.EqualValues(t, leastMostMemory, r.MostMemory)
	require.NoError(t, r.Close())
	require.NoError(t, os.Truncate(path, leastMostMemory))
	r, err = Open(path)
	require.NoError(t, err)
	require.EqualValues(t, 4*leastMostMemory, r.MostMemory)
	require.NoError(t, r.Close())
}
