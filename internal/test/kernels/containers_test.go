package kernels

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/study/kerneltest"
)

// containers are forms of a module for the driver. Each puts one into a memory and returns its
// address.
var containers = map[string]func(*cubintest.Memory, *cubin.Image) uint64{
	"32-bit ELF": func(m *cubintest.Memory, img *cubin.Image) uint64 { return m.Add(cubintest.ELF{}.Write(img)) },
	"64-bit ELF": func(m *cubintest.Memory, img *cubin.Image) uint64 { return m.Add(cubintest.ELF{Wide: true}.Write(img)) },
	"old ELF":    func(m *cubintest.Memory, img *cubin.Image) uint64 { return m.Add(cubintest.ELF{Old: true}.Write(img)) },
	"struct": func(m *cubintest.Memory, img *cubin.Image) uint64 {
		return m.Struct(4, "k.cu", elfEntry(img, cubin.Stored))
	},
	"wrapper": func(m *cubintest.Memory, img *cubin.Image) uint64 {
		return m.Wrapper(cubintest.Flat(cubintest.CUDA4, elfEntry(img, cubin.Stored)))
	},
	"compressed": func(m *cubintest.Memory, img *cubin.Image) uint64 {
		return m.Wrapper(cubintest.Flat(cubintest.CUDA5, elfEntry(img, cubin.Zlib)))
	},
}

func elfEntry(img *cubin.Image, c cubin.Compression) cubintest.Entry {
	return cubintest.Entry{Container: cubin.ELF, Arch: 10 + int(img.Arch), Compression: c, Data: cubintest.ELF{Wide: true}.Write(img)}
}

// TestMesaKernelsInContainers runs every build of every kernel through the driver in ELF cubins and
// fat binaries. It uses kernelParams, which need the offsets of parameters from the container.
func TestMesaKernelsInContainers(t *testing.T) {
	for _, test := range mesaTests(t) {
		for i := range test.Builds {
			img, err := test.Image(&test.Builds[i])
			require.NoError(t, err)
			img.Kernel(test.Name).Params = params(test)
			for name, put := range containers {
				t.Run(test.Name+"/"+img.Arch.String()+"/"+name, func(t *testing.T) {
					memory := &cubintest.Memory{Word: 8}
					runThroughDriver(t, test, driver.ModelFor(img.Arch), memory, put(memory, img))
				})
			}
		}
	}
}

func params(test *kerneltest.Test) []cubin.Param {
	params := []cubin.Param{}
	for i := range test.Params {
		params = append(params, cubin.Param{Offset: test.Params[i].Offset, Size: test.Params[i].Size()})
	}
	return params
}

// runThroughDriver makes the driver calls of a CUDA 4 program.
func runThroughDriver(t *testing.T, test *kerneltest.Test, device string, memory *cubintest.Memory, image uint64) {
	log := new(bytes.Buffer)
	th := driver.New(driver.Config{Settings: knobs.Settings{Device: device}, Output: log}).Thread(1)
	require.NoError(t, th.Init(0))
	_, err := th.CtxCreate(0, 0)
	require.NoError(t, err)
	said := make([]byte, 1000)
	m, err := th.ModuleLoadDataEx(memory, image, driver.JITOptions{InfoLog: said})
	require.NoError(t, err, log)
	require.Contains(t, string(said), "1 kernels")
	f, err := th.ModuleGetFunction(m, test.Name)
	require.NoError(t, err)

	values := make([][]byte, len(test.Params))
	at := make([]driver.DevicePtr, len(test.Params))
	for i := range test.Params {
		p := &test.Params[i]
		if !p.Buffer {
			values[i] = p.Value
			continue
		}
		at[i], err = th.MemAlloc(uint64(len(p.Init)))
		require.NoError(t, err)
		require.NoError(t, th.MemcpyHtoD(at[i], p.Init))
		values[i] = binary.LittleEndian.AppendUint32(nil, uint32(at[i]))
	}
	grid := [3]uint32{uint32(test.Grid[0]), uint32(test.Grid[1]), 1}
	block := [3]uint32{uint32(test.Block[0]), uint32(test.Block[1]), uint32(test.Block[2])}
	require.NoError(t, th.LaunchKernel(f, grid, block, 0, 0, driver.Arguments{Value: func(i, size int) []byte {
		// the program's memory continues after the value
		value := append(values[i], make([]byte, 256)...)
		return value[:size]
	}}), log)
	for i := range test.Params {
		if p := &test.Params[i]; p.Buffer {
			got := make([]byte, len(p.Expect))
			require.NoError(t, th.MemcpyDtoH(got, at[i]))
			require.NoError(t, kerneltest.Compare(p, got))
		}
	}
	require.Empty(t, log.String())
}
