package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"jacquard/cubin"
	"jacquard/cubin/carrier"
	"jacquard/observe/bundle"
	"jacquard/observe/stats"
	"jacquard/observe/trace/codec"
	"jacquard/ptx/compile"
	"jacquard/ptx/load"
	"jacquard/tesla"
)

// carried is a file with images: a cubin, a fat binary, a program.
type carried struct {
	path    string
	arch    string // target of the compiled PTX; "" for the PTX's own
	kind    string // in words
	images  []carriedImage
	pointer int // bytes of an address in a program that carries the images; 0 without a program
}

// carriedImage is an image of a file.
type carriedImage struct {
	*cubin.Entry
	number int // from 1, over the whole file
	module *carrier.Module
	ptx    *cubin.Entry // source of the image; nil if the file holds the image itself
	broken error        // the reason why no image can be made of ptx
}

// openFile finds the images in the file at path. PTX is compiled for the architecture that the flag
// --arch names, or else for its own.
func openFile(path, arch string) (*carried, error) {
	if _, err := archOr(arch, tesla.SM13); err != nil {
		return nil, err
	}
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	switch {
	case bundle.Sniff(data):
		return nil, fmt.Errorf("%s: this is a bundle: jacquard replay runs it, and jacquard info describes it if it is no pipe", path)
	case codec.Sniff(data):
		return nil, fmt.Errorf("%s: this is a trace: jacquard trace show prints it", path)
	case stats.Sniff(data):
		return nil, fmt.Errorf("%s: these are statistics: jacquard stats sums them up", path)
	}
	found, err := carrier.Find(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c := &carried{path: path, arch: arch, kind: found.Kind}
	for i := range found.Modules {
		m := &found.Modules[i]
		c.pointer = m.Pointer
		for j := range m.Contents.Entries {
			c.images = append(c.images, carriedImage{Entry: &m.Contents.Entries[j], number: len(c.images) + 1, module: m})
		}
	}
	if len(c.images) == 0 {
		return nil, fmt.Errorf("%s: %s without device code", path, article(c.kind))
	}
	return c, nil
}

// article puts the article before a kind of file.
func article(kind string) string {
	if strings.HasPrefix(kind, "a") || strings.HasPrefix(kind, "o") {
		return "an " + kind
	}
	return "a " + kind
}

// readFile reads the file at path. A limit ends devices that have no end.
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

// plain reports whether the file itself is an image.
func (c *carried) plain() bool { return c.images[0].module.Contents.Container != cubin.FatBinary }

// machineCode returns the images with machine code for sm_10 .. sm_13: made of PTX if there are no
// others. None is an error.
func (c *carried) machineCode() ([]carriedImage, error) {
	var code []carriedImage
	none := &cubin.NoCodeError{Arch: tesla.SM13}
	for _, i := range c.images {
		if i.Runs(tesla.SM13) {
			code = append(code, i)
		}
		none.Found = append(none.Found, *i.Entry)
	}
	if len(code) > 0 {
		return code, nil
	}
	code, err := c.compile()
	if len(code) == 0 && err == nil {
		err = fmt.Errorf("%s: %w", c.path, none)
	}
	return code, err
}

// compile makes machine code of the PTX in c: per module, of the PTX that a device takes. It
// returns the images that now have machine code or are broken.
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
		code, err := load.Entry(image.Entry, c.name(image), compile.Options{Arch: arch, TextLines: true})
		if err != nil {
			code = image.Entry
		}
		made = append(made, carriedImage{Entry: code, number: image.number, module: image.module, ptx: image.Entry, broken: err})
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

// read reads the image.
func (c *carried) read(i *carriedImage) (*cubin.Image, error) {
	if i.broken != nil {
		return nil, i.broken
	}
	img, err := i.Image()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name(i), err)
	}
	return img, nil
}

// readAs reads the image, and returns the architecture that the flag --arch names, or else the
// image's own.
func (c *carried) readAs(flag string, i *carriedImage) (*cubin.Image, tesla.Arch, error) {
	img, err := c.read(i)
	if err != nil {
		return nil, 0, err
	}
	arch, err := archOr(flag, img.Arch)
	return img, arch, err
}

// name is the file's name, and the image's number if the file may hold several.
func (c *carried) name(i *carriedImage) string {
	if c.plain() {
		return c.path
	}
	return fmt.Sprintf("%s, image %d", c.path, i.number)
}

// choose returns the images with the kernel called name, one per architecture, the PTX of their
// module, and the kernel's name. An empty name means the only kernel of the file. If several modules
// have the kernel, number selects the image; 0 selects none.
func (c *carried) choose(name string, number int) (code, ptx []cubin.Entry, kernel string, err error) {
	images, err := c.machineCode()
	if err != nil {
		return nil, nil, "", err
	}
	if number != 0 {
		if images, err = c.only(images, number); err != nil {
			return nil, nil, "", err
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
		for _, k := range kernelNames(img) {
			if !slices.Contains(names, k) {
				names = append(names, k)
			}
			if k == name || name == "" {
				found = append(found, i)
			}
		}
	}
	switch {
	case len(names) == 0 && broken != nil:
		return nil, nil, "", broken
	case name == "" && len(names) > 1:
		return nil, nil, "", usagef("%s holds %d kernels: say which one to run (jacquard info lists them)", c.path, len(names))
	case len(found) == 0:
		return nil, nil, "", noKernel(c.path, name, names)
	}
	for _, i := range found {
		if i.module != found[0].module {
			return nil, nil, "", usagef("%s holds several kernels %q, in images %d and %d: say which one with --image",
				c.path, name, found[0].number, i.number)
		}
		code = append(code, *i.Entry)
	}
	return code, c.ptx(found[0].module), cmp.Or(name, names[0]), nil
}

// ptx returns the PTX of a module, with the names that messages use.
func (c *carried) ptx(m *carrier.Module) (entries []cubin.Entry) {
	for _, i := range c.images {
		if i.module == m && i.Container == cubin.PTX && i.Arch > 0 {
			e := *i.Entry
			e.Source = c.name(&i)
			entries = append(entries, e)
		}
	}
	return entries
}

// only returns the image with a number.
func (c *carried) only(images []carriedImage, number int) ([]carriedImage, error) {
	i := slices.IndexFunc(images, func(i carriedImage) bool { return i.number == number })
	if i < 0 {
		return nil, fmt.Errorf("%s: image %d holds no machine code for sm_10 .. sm_13: jacquard info lists all images", c.path, number)
	}
	return images[i : i+1], nil
}

func kernelNames(img *cubin.Image) (names []string) {
	for i := range img.Kernels {
		names = append(names, img.Kernels[i].Name)
	}
	return names
}

// noKernel reports that the file has no kernel called name; names lists the kernels it has.
func noKernel(path, name string, names []string) error {
	const most = 20 // names in an error
	switch {
	case len(names) == 0:
		return fmt.Errorf("%s holds no kernel", path)
	case len(names) > most:
		return fmt.Errorf("%s holds no kernel %q: jacquard info lists its %d kernels", path, name, len(names))
	}
	return fmt.Errorf("%s holds no kernel %q: want %s", path, name, list(names))
}
