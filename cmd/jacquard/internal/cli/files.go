package cli

import (
	"fmt"
	"os"

	"jacquard/cmd/jacquard/internal/carrier"
	"jacquard/cubin"
	"jacquard/tesla"
)

// loadCubin reads the cubin at path; of a fat binary, what an sm_13 device runs.
func loadCubin(path string) (*cubin.Image, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	img, err := cubin.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return img, nil
}

// carried is a file that holds one image or many: a cubin, a fat binary, a program.
type carried struct {
	path   string
	kind   string // in words
	images []carriedImage
}

// carriedImage is one of them.
type carriedImage struct {
	*cubin.Entry
	number int // from 1, over the whole file
	module *carrier.Module
}

// openFile finds the images in the file at path.
func openFile(path string) (*carried, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found, err := carrier.Find(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c := &carried{path: path, kind: "program"}
	for i := range found.Modules {
		m := &found.Modules[i]
		if !found.Program {
			c.kind = m.Contents.Container.String()
		}
		for j := range m.Contents.Entries {
			c.images = append(c.images, carriedImage{&m.Contents.Entries[j], len(c.images) + 1, m})
		}
	}
	if len(c.images) == 0 {
		return nil, fmt.Errorf("%s: a %s without device code", path, c.kind)
	}
	return c, nil
}

// plain reports whether the file is an image itself.
func (c *carried) plain() bool { return c.images[0].module.Contents.Container != cubin.FatBinary }

// machineCode returns the images with machine code for sm_10 .. sm_13; that there are none is an error.
func (c *carried) machineCode() ([]carriedImage, error) {
	var code []carriedImage
	none := &cubin.NoCodeError{Arch: tesla.SM13}
	for _, i := range c.images {
		if i.Runs(tesla.SM13) {
			code = append(code, i)
		}
		none.Found = append(none.Found, *i.Entry)
	}
	if len(code) == 0 {
		return nil, fmt.Errorf("%s: %w", c.path, none)
	}
	return code, nil
}

// read reads the image.
func (c *carried) read(i *carriedImage) (*cubin.Image, error) {
	img, err := i.Image()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name(i), err)
	}
	return img, nil
}

// name tells the image from the others of its file.
func (c *carried) name(i *carriedImage) string {
	if c.plain() {
		return c.path
	}
	return fmt.Sprintf("%s, image %d", c.path, i.number)
}

// findKernel returns the kernel called name, or an error that lists the ones there are.
func findKernel(img *cubin.Image, path, name string) (*cubin.Kernel, error) {
	if k := img.Kernel(name); k != nil {
		return k, nil
	}
	var names []string
	for _, k := range img.Kernels {
		names = append(names, k.Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s holds no kernel", path)
	}
	return nil, fmt.Errorf("%s holds no kernel %q: want %s", path, name, list(names))
}
