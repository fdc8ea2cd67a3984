package launch

import (
	"fmt"
	"slices"
	"strings"

	"jacquard/cubin"
	"jacquard/tesla"
)

// ParamsError says that the arguments do not fit the kernel's parameters.
type ParamsError struct {
	Kernel  string
	Takes   string // the kernel's parameters, as far as its container says
	Problem string
}

// Error gives the kernel's parameters first.
func (e *ParamsError) Error() string {
	return fmt.Sprintf("kernel %s takes %s: %s", e.Kernel, e.Takes, e.Problem)
}

// placed returns the parameters of j with the kernel's offsets.
func placed(j *Job, image []byte) ([]Param, error) {
	img, err := cubin.Parse(image)
	if err != nil {
		return nil, err
	}
	return Place(j.Params, img, j.Kernel, j.Pointer)
}

// Place returns params with offsets, and with addresses as wide as in the image. A kernel that
// declares its parameters takes exactly these; a kernel in a text cubin gives only the size of the
// room. pointer is the width of addresses if the image does not say; if it is 0 and matters, the
// room must decide. The error is a *ParamsError.
func Place(params []Param, img *cubin.Image, kernel string, pointer int) ([]Param, error) {
	k := img.Kernel(kernel)
	if k == nil {
		return nil, fmt.Errorf("the module has no kernel %q", kernel)
	}
	if img.Pointer != 0 {
		pointer = img.Pointer
	}
	if img.Pointer != 0 && k.Params != nil {
		return declared(params, k, pointer)
	}
	room := k.ParamRoom()
	takes := fmt.Sprintf("at most %d bytes of parameters", room)
	if pointer == 0 {
		if pointer = inferred(params, room); pointer == 0 {
			return nil, &ParamsError{kernel, takes, "whether addresses have 4 or 8 of them the file does not say: add --pointer 4 or --pointer 8"}
		}
	}
	out, size := natural(params, pointer)
	if size > room {
		return nil, &ParamsError{kernel, takes, fmt.Sprintf("the arguments have %d", size)}
	}
	return out, nil
}

// inferred returns the width of addresses: either one if both give the same layout, else the only
// one that fits, else the one that fills the room of a kernel without static shared memory; 0 if
// none of these decides. Compilers round the room up for a dynamic array.
func inferred(params []Param, room int) int {
	narrow, short := natural(params, 4)
	wide, long := natural(params, 8)
	fills := func(size int) bool {
		return size == room || aligned(tesla.HeaderBytes+size, 16) == tesla.HeaderBytes+room
	}
	offset := func(a, b Param) bool { return a.Offset == b.Offset }
	switch {
	case slices.EqualFunc(narrow, wide, offset), long > room, fills(short) && !fills(long):
		return 4
	case fills(long) && !fills(short):
		return 8
	}
	return 0
}

// natural lays params out like a compiler: in order, each aligned to its size.
func natural(params []Param, pointer int) (out []Param, size int) {
	out = slices.Clone(params)
	for i := range out {
		p := &out[i]
		p.widen(pointer)
		p.Offset = aligned(size, len(p.Value))
		size = p.Offset + len(p.Value)
	}
	return out, size
}

// declared lays params out over the parameters that k declares. A structure takes as many arguments
// as it has values.
func declared(params []Param, k *cubin.Kernel, pointer int) ([]Param, error) {
	fail := func(format string, args ...any) ([]Param, error) {
		return nil, &ParamsError{k.Name, takes(k.Params), fmt.Sprintf(format, args...)}
	}
	out := slices.Clone(params)
	n, at := 0, 0 // parameters begun, and the offset of the next argument in the last one
	full := func() bool {
		return n == 0 || k.Params[n-1].Padded || at == k.Params[n-1].Offset+k.Params[n-1].Size
	}
	for i := range out {
		p := &out[i]
		p.widen(pointer)
		size := len(p.Value)
		p.Offset = aligned(at, size)
		if n == 0 || p.Offset+size > k.Params[n-1].Offset+k.Params[n-1].Size {
			switch {
			case !full():
				return fail("parameter %d has %d, of which the arguments before %s fill %d", n-1, k.Params[n-1].Size, p.Name, at-k.Params[n-1].Offset)
			case n == len(k.Params):
				return fail("%s is one argument too many", p.Name)
			case size > k.Params[n].Size:
				return fail("parameter %d has %d, %s has %d", n, k.Params[n].Size, p.Name, size)
			}
			p.Offset = k.Params[n].Offset
			n++
		}
		at = p.Offset + size
	}
	switch {
	case n < len(k.Params):
		return fail("the arguments fill %d of them", n)
	case !full():
		return fail("parameter %d has %d, of which the arguments fill %d", n-1, k.Params[n-1].Size, at-k.Params[n-1].Offset)
	}
	return out, nil
}

// takes lists the parameters for a message.
func takes(params []cubin.Param) string {
	if len(params) == 0 {
		return "no parameters"
	}
	sizes := make([]string, len(params))
	for i, p := range params {
		sizes[i] = fmt.Sprint(p.Size)
		if p.Padded {
			sizes[i] = "up to " + sizes[i]
		}
	}
	last := len(sizes) - 1
	if last == 0 {
		return "1 parameter of " + sizes[0] + " bytes"
	}
	return fmt.Sprintf("%d parameters of %s and %s bytes", len(sizes), strings.Join(sizes[:last], ", "), sizes[last])
}

// widen extends an address to the image's width.
func (p *Param) widen(pointer int) {
	switch {
	case p.Buffer != nil:
		p.Value = make([]byte, pointer)
	case p.Address:
		p.Value = slices.Concat(p.Value, make([]byte, max(pointer-len(p.Value), 0)))
	}
}

// aligned rounds at up to a multiple of size.
func aligned(at, size int) int { return (at + size - 1) / size * size }
