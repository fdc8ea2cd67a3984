package launch

import (
	"path/filepath"

	"jacquard/cubin"
	"jacquard/libcuda/driver"
	"jacquard/study/kerneltest"
)

// OfBuild returns the launch for build b of test t, on a device of the build's architecture.
func OfBuild(t *kerneltest.Test, b *kerneltest.Build) (*Job, error) {
	image, err := t.Cubin(b)
	if err != nil {
		return nil, err
	}
	j, err := OfImage(t, b, image)
	if err != nil {
		return nil, err
	}
	j.Program = filepath.Join(t.Dir, b.File)
	return j, nil
}

// OfImage returns the launch as OfBuild does, of a cubin made for it. A kernel that declares its
// parameters says where they are.
func OfImage(t *kerneltest.Test, b *kerneltest.Build, image []byte) (*Job, error) {
	img, err := cubin.Parse(image)
	if err != nil {
		return nil, err
	}
	k := img.Kernel(t.Name)
	placed := img.Pointer == 0 || k == nil || k.Params == nil
	j := &Job{Image: image, Kernel: t.Name, Grid: t.Grid, Block: t.Block, Shared: t.Shared, Placed: placed, Device: driver.ModelFor(b.Arch)}
	for i := range t.Params {
		p := &t.Params[i]
		param := Param{Name: p.Name, Offset: p.Offset, Value: p.Value}
		if p.Buffer {
			param.Buffer = p.Init
		}
		j.Params = append(j.Params, param)
	}
	return j, nil
}
