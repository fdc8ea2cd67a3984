package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"jacquard/cubin"
	"jacquard/cubin/carrier"
	"jacquard/tesla"
)

// carried is a file that holds one image or many: a cubin, a fat binary, a program.
type carried struct {
	path   string
	kind   string // in words
	images []carriedImage

	pointer int // bytes of an address in a program that carries them, for which they were compiled; 0 if none does
}

// carriedImage is one of them.
type carriedImage struct {
	*cubin.Entry
	number int // from 1, over the whole file
	module *carrier.Module
}

// openFile finds the images in the file at path.
func openFile(path string) (*carried, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	found, err := carrier.Find(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c := &carried{path: path, kind: "program", pointer: hostPointer(data)}
	for i := range found.Modules {
		m := &found.Modules[i]
		if !found.Program {
			c.pointer = 0
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

// hostPointer returns how many bytes an address has in an ELF program, 0 if data is none.
func hostPointer(data []byte) int {
	const class = 4 // where the header says it
	switch {
	case len(data) <= class || !bytes.HasPrefix(data, []byte("\x7fELF")):
		return 0
	case data[class] == 1:
		return 4
	case data[class] == 2:
		return 8
	}
	return 0
}

// readFile reads the file at path, but not a device that never ends.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const most = 1 << 30 // more than any program has
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err == nil && len(data) == most {
		err = fmt.Errorf("%s: no file with device code has %d bytes or more", path, most)
	}
	return data, err
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

// choose returns the images that hold the kernel called name, forms of one module for several architectures, and the
// kernel's name. An empty name means the only kernel that there is. If several modules have the kernel, number says
// which image is meant; 0 leaves it open.
func (c *carried) choose(name string, number int) ([]cubin.Entry, string, error) {
	images, err := c.machineCode()
	if err != nil {
		return nil, "", err
	}
	if number != 0 {
		if images, err = c.only(images, number); err != nil {
			return nil, "", err
		}
	}
	var found []carriedImage
	var broken error
	var names []string // of all kernels
	for _, i := range images {
		img, err := c.read(&i)
		if err != nil {
			broken = err // another image may do
			continue
		}
		for _, k := range img.Kernels {
			if !slices.Contains(names, k.Name) {
				names = append(names, k.Name)
			}
			if k.Name == name || name == "" {
				found = append(found, i)
			}
		}
	}
	switch {
	case len(names) == 0 && broken != nil:
		return nil, "", broken
	case len(names) == 0:
		return nil, "", fmt.Errorf("%s holds no kernel", c.path)
	case name == "" && len(names) > 1:
		return nil, "", usagef("%s holds %d kernels: say which one to run (jacquard info lists them)", c.path, len(names))
	case len(found) == 0:
		return nil, "", noKernel(c.path, name, names)
	}
	var entries []cubin.Entry
	for _, i := range found {
		if i.module != found[0].module {
			return nil, "", usagef("%s holds several kernels %q, in images %d and %d: say which one with --image", c.path, name, found[0].number, i.number)
		}
		entries = append(entries, *i.Entry)
	}
	if name == "" {
		name = names[0]
	}
	return entries, name, nil
}

// only returns the image called number.
func (c *carried) only(images []carriedImage, number int) ([]carriedImage, error) {
	for _, i := range images {
		if i.number == number {
			return []carriedImage{i}, nil
		}
	}
	return nil, fmt.Errorf("%s: image %d holds no machine code for sm_10 .. sm_13: jacquard info lists what there is", c.path, number)
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
	return nil, noKernel(path, name, names)
}

// noKernel says that none of the kernels called names is called name.
func noKernel(path, name string, names []string) error {
	const most = 20 // that are of use in an error
	switch {
	case len(names) == 0:
		return fmt.Errorf("%s holds no kernel", path)
	case len(names) > most:
		return fmt.Errorf("%s holds no kernel %q: jacquard info lists its %d kernels", path, name, len(names))
	}
	return fmt.Errorf("%s holds no kernel %q: want %s", path, name, list(names))
}
