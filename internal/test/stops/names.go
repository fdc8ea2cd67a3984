package stops

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"

	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/load"
)

// Compile returns the machine code that nvcc makes of a source. root is the root of the repository.
// The error is [os.ErrNotExist] if the toolkit is not built.
func Compile(root, source string, options ...string) (*cubin.Image, error) {
	nvcc := filepath.Join(root, "build/toolkit/bin/nvcc")
	if _, err := os.Stat(nvcc); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "compiled")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	out := filepath.Join(folder, "out.cubin")
	if text, err := exec.Command(nvcc, append(options, "-cubin", "-o", out, source)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	contents, err := cubin.Read(data)
	if err != nil {
		return nil, err
	}
	return contents.Entries[0].Image()
}

// NewNames compiles testdata/names.cu with nvcc -g -G: a kernel whose variables have names. Threads of
// one warp run it. root and the error are those of [Compile].
func NewNames(root string) (*Program, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	image, err := Compile(root, filepath.Join(root, NamesFolder, "names.cu"), "-g", "-G", "-arch=sm_13")
	return &Program{Launches: 1, image: image, named: true}, err
}

// NamesFolder is where the source of the kernel of NewNames lies, from the root of the repository.
const NamesFolder = "internal/test/stops/testdata"

// nameArguments makes the launch that of the kernel of NewNames: its variables, and the arguments
// out, c, letter and first.
func (p *Program) nameArguments(l *simt.Launch, out uint32) (*load.Data, error) {
	k := &p.image.Kernels[0]
	data, err := load.Place(p.image, l.Global, l.Global.Alloc)
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	b := le.AppendUint64(nil, uint64(out))
	b = le.AppendUint32(b, 6)   // blue
	b = append(b, 'A', 0, 0, 0) // up to first, which has a pointer
	b = le.AppendUint32(b, 21)  // value
	b = le.AppendUint32(b, math.Float32bits(0.5))
	b = le.AppendUint32(b, math.Float32bits(1.5))
	b = append(b, 0xff, 0xff, 3, 0) // at
	b = le.AppendUint64(b, 0)       // next
	b = le.AppendUint64(b, 6|21<<3) // low, high
	l.Params, l.Const = b, data.Const(k)
	l.Grid, l.Block = [2]int{1, 1}, [3]int{32, 1, 1}
	return data, nil
}
