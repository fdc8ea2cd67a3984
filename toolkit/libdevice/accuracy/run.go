package accuracy

import (
	"encoding/binary"
	"fmt"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
	"jacquard/toolkit/libdevice"
)

// Library has kernels for functions of the library, as machine code.
type Library struct {
	image    *cubin.Image
	programs map[string]*simt.Program
}

// New compiles a module of [Compile] for a device.
func New(m *ptx.Module, arch tesla.Arch) (*Library, error) {
	image, err := compile.Compile(m, compile.Options{Arch: arch})
	if err != nil {
		return nil, err
	}
	l := &Library{image: image, programs: map[string]*simt.Program{}}
	for i := range image.Kernels {
		k := &image.Kernels[i]
		if l.programs[k.Name], err = load.Program(arch, k, simt.Host{}); err != nil {
			return nil, err
		}
	}
	return l, nil
}

const block = 128

// Run applies a function to rows of arguments, each a word of 64 bits, and returns rows of
// results. Results through pointers follow the result of the function, in order. Several may run
// at a time.
func (l *Library) Run(f *libdevice.Function, args []uint64) ([]uint64, error) {
	in, out := rowOf(f)
	n := len(args) / in
	program := l.programs["test"+f.Name]
	if program == nil {
		return nil, fmt.Errorf("accuracy: no kernel for %s", f.Name)
	}
	space := mem.NewSpace(1 << 30)
	inBytes, outBytes := make([]byte, 0, 8*len(args)), make([]byte, 8*n*out)
	for _, a := range args {
		inBytes = binary.LittleEndian.AppendUint64(inBytes, a)
	}
	from, err := space.AllocIn(inBytes, 0)
	if err != nil {
		return nil, err
	}
	to, err := space.AllocIn(outBytes, 0)
	if err != nil {
		return nil, err
	}
	params := binary.LittleEndian.AppendUint64(nil, uint64(from))
	params = binary.LittleEndian.AppendUint64(params, uint64(to))
	params = binary.LittleEndian.AppendUint64(params, uint64(n))
	launch := &simt.Launch{
		Program: program, Grid: [2]int{(n + block - 1) / block, 1}, Block: [3]int{block, 1, 1},
		Policy: "nvidia", Params: params, Global: space, Watchdog: 1 << 40, Workers: 1, NoStats: true,
	}
	if err := l.place(launch, program.Kernel.Name); err != nil {
		return nil, err
	}
	if _, err := simt.Run(launch); err != nil {
		return nil, fmt.Errorf("accuracy: %s: %w", f.Name, err)
	}
	results := make([]uint64, n*out)
	for i := range results {
		results[i] = binary.LittleEndian.Uint64(outBytes[8*i:])
	}
	return results, nil
}

// place fills the constant banks and allocates the global variables.
func (l *Library) place(launch *simt.Launch, kernel string) error {
	data, err := load.Place(l.image, launch.Global, launch.Global.Alloc)
	if err != nil {
		return err
	}
	launch.Const = data.Const(l.image.Kernel(kernel))
	return nil
}
