package driver_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/libcuda/driver"
	"jacquard/ptx/jit"
)

// addTo adds data to a link.
func addTo(th *driver.Thread, k driver.Link, kind driver.JITInput, data []byte, name string) error {
	memory := &cubintest.Memory{Word: 8}
	return th.LinkAddData(k, kind, memory, memory.Add(data), uint64(len(data)), name, driver.JITOptions{})
}

// complete returns a link's result.
func complete(t *testing.T, th *driver.Thread, k driver.Link) []byte {
	t.Helper()
	at, size, err := th.LinkComplete(k)
	require.NoError(t, err)
	again, _, err := th.LinkComplete(k)
	require.NoError(t, err)
	require.Equal(t, at, again)
	return append([]byte{}, unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), size)...)
}

// A cubin that is refused leaves nothing in its link.
func TestLinkRefusedCubin(t *testing.T) {
	th, _ := compiler(t, "gtx280", jit.Settings{})
	k, err := th.LinkCreate(driver.JITOptions{})
	require.NoError(t, err)
	whole := read(t, "vecadd_sm13.cubin")
	is(t, driver.ErrInvalidImage, addTo(th, k, driver.InputCubin, whole[:len(whole)/2], "half"))
	_, _, err = th.LinkComplete(k)
	require.Error(t, err, "there is no input")
	require.NoError(t, addTo(th, k, driver.InputPTX, append(ptx(t, "main"), 0), "main"))
	require.NoError(t, addTo(th, k, driver.InputPTX, append(ptx(t, "scale"), 0), "scale"))
	_, err = th.ModuleLoadData(complete(t, th, k))
	require.NoError(t, err)
}

// TestLinkPTX links two modules in both orders. Each has a variable of its own that is called
// factor.
func TestLinkPTX(t *testing.T) {
	for _, force := range []bool{false, true} {
		for _, order := range [][]string{{"main", "scale"}, {"scale", "main"}} {
			t.Run(strings.Join(order, " "), func(t *testing.T) {
				th, log := compiler(t, "gtx280", jit.Settings{Force: force})
				said := newLogs()
				k, err := th.LinkCreate(said.options())
				require.NoError(t, err)
				require.NoError(t, addTo(th, k, driver.InputPTX, append(ptx(t, order[0]), 0), order[0]))
				path := filepath.Join("testdata", "ptx", order[1]+".ptx")
				require.NoError(t, th.LinkAddFile(k, driver.InputPTX, path, driver.JITOptions{}))
				file := complete(t, th, k)
				require.NoError(t, th.LinkDestroy(k))
				is(t, driver.ErrInvalidHandle, th.LinkDestroy(k))
				require.Contains(t, said.texts(t)[0], "Compiling entry function 'compute' for 'sm_13'")

				m, err := th.ModuleLoadData(file)
				require.NoError(t, err)
				f, err := th.ModuleGetFunction(m, "compute")
				require.NoError(t, err)
				version, err := th.FuncGetAttribute(driver.FuncPTXVersion, f)
				require.NoError(t, err)
				require.Equal(t, 20, version)
				out := alloc(t, th, 16)
				value := func(int, int) []byte { return words(uint32(out), 0) }
				require.NoError(t, th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{4, 1, 1}, 0, 0, driver.Arguments{Value: value}))
				require.Equal(t, words(1100, 1107, 1114, 1121), fetch(t, th, out, 16))
				_, _, err = th.ModuleGetGlobal(m, "bias")
				require.NoError(t, err)
				require.Empty(t, log.String())
			})
		}
	}
}

func TestLinkMistakes(t *testing.T) {
	th, log := compiler(t, "gtx280", jit.Settings{})
	text := string(ptx(t, "scale"))
	for _, c := range []struct {
		name    string
		inputs  []string
		at      int // the input that is refused; len(inputs) for LinkComplete
		want    driver.Result
		message string // in the log
	}{
		{"nothing", nil, 0, driver.ErrInvalidValue, "link: there is no input"},
		{"a mistake", []string{string(ptx(t, "broken"))}, 0, driver.ErrInvalidPTX, "input0:7:2: "},
		{"another kind", []string{"\x7fELF"}, 0, driver.ErrInvalidPTX, "input0:1:"},
		{"an extern that nothing defines", []string{string(ptx(t, "main"))}, 1, driver.ErrInvalidPTX, "input0:6:22: nothing defines the extern variable bias"},
		{"two definitions", []string{text, text}, 2, driver.ErrInvalidPTX, "input1:6:23: bias is defined in input0:6:23 already"},
		{"another space", []string{text, ".version 3.1\n.target sm_20\n.address_size 64\n.extern .const .u32 bias;\n"}, 2, driver.ErrInvalidPTX, "input1:4:21: bias is in .const here, and in .global in input0"},
		{"another size", []string{text, ".version 3.1\n.target sm_20\n.address_size 64\n.extern .global .u64 bias;\n"}, 2, driver.ErrInvalidPTX, "input1:4:22: bias has 8 bytes here, and 4 in input0"},
		{"another width", []string{text, ".version 3.1\n.target sm_20\n.address_size 32\n"}, 2, driver.ErrInvalidPTX, "input1: its addresses have 32 bits, and those of input0 have 64"},
		{"two ways with f64", []string{".version 1.4\n.target sm_10\n", ".version 1.4\n.target sm_10, map_f64_to_f32\n"}, 2, driver.ErrInvalidPTX, "input1: it and input0 differ in .target map_f64_to_f32"},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := newLogs()
			k, err := th.LinkCreate(said.options())
			require.NoError(t, err)
			for i, input := range c.inputs {
				err = addTo(th, k, driver.InputPTX, []byte(input), "input"+string(rune('0'+i)))
				if i == c.at {
					break
				}
				require.NoError(t, err)
			}
			if c.at == len(c.inputs) {
				_, _, err = th.LinkComplete(k)
			}
			is(t, c.want, err)
			require.Contains(t, said.texts(t)[1], c.message)
			require.NoError(t, th.LinkDestroy(k))
		})
	}
	require.NotEmpty(t, log.String())
}

// TestLinkCode passes machine code through, alone and in a fat binary.
func TestLinkCode(t *testing.T) {
	th, _ := compiler(t, "gtx280", jit.Settings{})
	code := read(t, "vecadd_sm13.cubin")
	link := func() driver.Link {
		k, err := th.LinkCreate(driver.JITOptions{})
		require.NoError(t, err)
		return k
	}
	k := link()
	require.NoError(t, addTo(th, k, driver.InputCubin, code, ""))
	is(t, driver.ErrInvalidImage, addTo(th, k, driver.InputPTX, ptx(t, "vecadd"), ""), "code with other inputs")
	require.Equal(t, code, complete(t, th, k))
	is(t, driver.ErrInvalidValue, addTo(th, k, driver.InputPTX, ptx(t, "vecadd"), ""), "too late")

	k = link()
	require.NoError(t, addTo(th, k, driver.InputPTX, ptx(t, "vecadd"), ""))
	is(t, driver.ErrInvalidImage, addTo(th, k, driver.InputCubin, code, ""))
	m, err := th.ModuleLoadData(complete(t, th, k))
	require.NoError(t, err)
	runVecadd(t, th, m)

	k = link()
	fat := cubintest.Flat(cubintest.CUDA5, cubintest.Entry{Container: cubin.PTX, Arch: 10, Data: ptx(t, "vecadd")},
		cubintest.Entry{Container: cubin.Text, Arch: 13, Data: code})
	require.NoError(t, addTo(th, k, driver.InputFatbinary, fat, "fat"))
	require.Equal(t, code, bytes.TrimRight(complete(t, th, k), "\x00"))

	for _, kind := range []driver.JITInput{driver.InputObject, driver.InputLibrary} {
		is(t, driver.ErrNoBinaryForGPU, addTo(th, link(), kind, code, "a.o"))
	}
	for _, kind := range []driver.JITInput{-1, 5} {
		is(t, driver.ErrInvalidValue, addTo(th, link(), kind, code, "a.o"))
	}
	is(t, driver.ErrInvalidImage, addTo(th, link(), driver.InputCubin, []byte("\x7fELF"), ""))
	is(t, driver.ErrFileNotFound, th.LinkAddFile(link(), driver.InputPTX, "testdata/nothing", driver.JITOptions{}))
	is(t, driver.ErrNoBinaryForGPU, func() error { _, err := th.LinkCreate(driver.JITOptions{Given: given(9, 20)}); return err }())
	k, err = th.LinkCreate(driver.JITOptions{Given: given(9, 10)})
	require.NoError(t, err)
	is(t, driver.ErrNoBinaryForGPU, addTo(th, k, driver.InputCubin, code, ""), "code above the target")
}
