package kerneltest

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/ptx/compile"
	"jacquard/ptx/load"
)

// Build returns the build for an architecture, named as sm_10. The error lists the test's builds.
func (t *Test) Build(arch string) (*Build, error) {
	var archs []string
	for i := range t.Builds {
		if t.Builds[i].Arch.String() == arch {
			return &t.Builds[i], nil
		}
		archs = append(archs, t.Builds[i].Arch.String())
	}
	return nil, fmt.Errorf("test %s has no build for %s: it has %s", t.Name, arch, strings.Join(archs, ", "))
}

// Image loads the code of build b and checks its target, kernel and resources against the test. The
// kernel is Image.Kernel(t.Name).
func (t *Test) Image(b *Build) (*cubin.Image, error) {
	data, err := t.Cubin(b)
	if err != nil {
		return nil, err
	}
	return cubin.Parse(data)
}

// Cubin returns the bytes of build b's cubin, as Image wants it: the build's file, or the result of
// Make.
func (t *Test) Cubin(b *Build) ([]byte, error) {
	path := filepath.Join(t.Dir, b.File)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	data, err = t.Make(b, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// Make is Cubin for a given content of the build's file. Errors in a text come from packages asm
// and ptx.
func (t *Test) Make(b *Build, content []byte) ([]byte, error) {
	img, err := b.Read(content)
	if err == nil {
		err = t.check(b, img)
	}
	if err != nil || !b.IsText() {
		return content, err
	}
	return cubin.FormatELF(img)
}

// IsText reports whether the build's file is a text that is to be assembled or compiled.
func (b *Build) IsText() bool { return slices.Contains([]string{".s", ".ptx"}, filepath.Ext(b.File)) }

// Read reads the content of the build's file, whatever kernels it has.
func (b *Build) Read(content []byte) (*cubin.Image, error) {
	switch filepath.Ext(b.File) {
	case ".s":
		return asm.ReadLines(b.File, string(content))
	case ".ptx":
		return load.Compile(b.File, content, compile.Options{Arch: b.Arch, TextLines: true})
	}
	return cubin.Parse(content)
}

func (t *Test) check(b *Build, img *cubin.Image) error {
	if img.Arch != b.Arch {
		return wrong("architecture", "the cubin says %s, the test %s", img.Arch, b.Arch)
	}
	k := img.Kernel(t.Name)
	if k == nil {
		return wrong("", "the cubin has no kernel %s", t.Name)
	}
	for _, c := range []struct {
		what       string
		cubin, say int
	}{
		{"reg", k.Registers, b.Registers},
		{"smem", k.Shared, b.Shared},
		{"lmem", k.Local, b.Local},
		{"bar", k.Barriers, b.Barriers},
		{"words", len(k.Code), b.Words},
	} {
		if c.cubin != c.say && (c.say != 0 || !b.IsText()) {
			return wrong(c.what, "the cubin says %d, the test %d", c.cubin, c.say)
		}
	}
	return nil
}

// ParamBlock lays out the parameters. address returns the device address of the buffer Params[i].
func (t *Test) ParamBlock(address func(i int) uint32) []byte {
	block := make([]byte, t.ParamBytes)
	for i := range t.Params {
		p := &t.Params[i]
		if p.Buffer {
			binary.LittleEndian.PutUint32(block[p.Offset:], address(i))
		} else {
			copy(block[p.Offset:], p.Value)
		}
	}
	return block
}
