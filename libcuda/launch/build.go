package launch

import (
	"os"
	"path/filepath"

	"jacquard/cubin/job"
	"jacquard/libcuda/driver"
)

// OfBuild returns the launch for build b of test t, on a device of the build's architecture.
func OfBuild(t *job.Test, b *job.Build) (*Job, error) {
	if _, err := t.Image(b); err != nil {
		return nil, err
	}
	path := filepath.Join(t.Dir, b.File)
	image, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	j := &Job{Image: image, Kernel: t.Name, Grid: t.Grid, Block: t.Block, Placed: true, Program: path, Device: driver.ModelFor(b.Arch)}
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
