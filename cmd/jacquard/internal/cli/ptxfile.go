package cli

import (
	"jacquard/cubin"
	"jacquard/cubin/ptx/compile"
	"jacquard/cubin/ptx/load"
)

// compile makes machine code of the PTX in c, and returns the images that now have some: of each
// module the PTX that a device takes.
func (c *carried) compile() ([]carriedImage, error) {
	var made []carriedImage
	for i := range c.images {
		image := &c.images[i]
		arch, err := archOr(c.arch, load.Arch(image.Arch))
		if err != nil {
			return nil, err
		}
		if load.Latest(image.module.Contents, arch) != image.Entry {
			continue
		}
		code, err := load.Entry(image.Entry, c.name(image), compile.Options{Arch: arch})
		if err != nil {
			return nil, err
		}
		made = append(made, carriedImage{Entry: code, number: image.number, module: image.module, ptx: image.Entry})
	}
	return made, nil
}

// container is the container of the image in the file.
func (i *carriedImage) container() cubin.Container {
	if i.ptx != nil {
		return cubin.PTX
	}
	return i.Container
}
