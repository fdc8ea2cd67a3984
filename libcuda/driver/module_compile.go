package driver

import (
	"os"

	"jacquard/cubin"
	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile"
	"jacquard/cubin/ptx/compile/library"
	"jacquard/tesla"
)

// compiled returns contents with machine code: unchanged if the contents hold code that the device
// runs, otherwise what the PTX among them becomes.
func (c *context) compiled(contents *cubin.Contents) (*cubin.Contents, error) {
	force := os.Getenv("CUDA_FORCE_PTX_JIT") == "1"
	if _, err := contents.Select(c.device.model.arch); err == nil && !force {
		return contents, nil
	}
	entry := latestPTX(contents, int(c.device.model.arch)+10)
	if entry == nil {
		return contents, nil
	}
	text, err := entry.Data()
	if err != nil {
		return nil, err
	}
	m, err := ptx.Parse(entry.Source, text)
	if err != nil {
		return nil, err
	}
	image, err := compile.Compile(m, compile.Options{Library: library.Module(), Arch: tesla.Arch(max(m.Target.Arch-10, 0))})
	if err != nil {
		return nil, err
	}
	return cubin.Read(cubin.Format(image))
}

// latestPTX returns the PTX for the latest architecture up to arch, or nil.
func latestPTX(contents *cubin.Contents, arch int) *cubin.Entry {
	var best *cubin.Entry
	for i := range contents.Entries {
		if e := &contents.Entries[i]; e.Container == cubin.PTX && e.Arch <= arch && (best == nil || e.Arch > best.Arch) {
			best = e
		}
	}
	return best
}
