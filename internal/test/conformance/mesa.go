package conformance

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/decoder"
	"jacquard/internal/test/conformance/random"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// mesa runs compiled kernels (testdata/mesa-kernels): each in turn under the policies.
func (s *suite) mesa(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root(t), "testdata/mesa-kernels/*/test.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	s.each(func(policy string, n uint64, m mode) {
		k := readKernel(t, files[n%uint64(len(files))])
		s.check(t, &launch{Kernel: k, policy: policy, mode: m})
	})
}

// test is the part of a test.json that a launch needs; the README of the folder describes the file.
type test struct {
	Name       string
	Block      [3]int
	Grid       [2]int
	ParamBytes int `json:"param_bytes"`
	Params     []struct {
		Kind   string
		Offset int `json:"param_offset"`
		Init   string
		Words  int
		Size   int
		Value  string
	}
}

// readKernel reads a test and its build for sm_13. The buffers lie one after the other.
func readKernel(t *testing.T, file string) *random.Kernel {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var j test
	require.NoError(t, json.Unmarshal(text, &j))
	data, err := os.ReadFile(filepath.Join(filepath.Dir(file), "sm_13.cubin"))
	require.NoError(t, err)
	image, err := cubin.Parse(data)
	require.NoError(t, err)
	c := image.Kernel(j.Name)
	k := &random.Kernel{Grid: j.Grid, Block: j.Block, Params: make([]byte, j.ParamBytes)}
	k.Kernel = program.Kernel{
		Name: j.Name, Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, c.Code),
		Registers: c.Registers, Shared: c.Shared, Local: c.Local,
	}
	for _, p := range j.Params {
		value := uint64(random.Base + len(k.Memory))
		if p.Kind == "buffer" {
			k.Memory = append(k.Memory, buffer(t, p.Init, p.Words)...)
			p.Size = 4
		} else {
			value, err = strconv.ParseUint(p.Value, 0, 64)
			require.NoError(t, err)
		}
		copy(k.Params[p.Offset:][:p.Size], binary.LittleEndian.AppendUint64(nil, value))
	}
	return k
}

// buffer returns the bytes of a buffer, a multiple of 16: the words that text lists, then zeros.
func buffer(t *testing.T, text string, words int) []byte {
	t.Helper()
	b := make([]byte, (4*words+15)/16*16)
	for i, word := range strings.Fields(text) {
		v, err := strconv.ParseUint(word, 16, 32)
		require.NoError(t, err)
		binary.LittleEndian.PutUint32(b[4*i:], uint32(v))
	}
	return b
}
