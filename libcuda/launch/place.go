package launch

import (
	"fmt"
	"slices"
	"strings"

	"jacquard/cubin"
)

// ParamsError says that the arguments given are not the parameters that a kernel takes.
type ParamsError struct {
	Kernel  string
	Takes   string // what it takes, as far as its container says
	Problem string
}

// Error says what the kernel takes first.
func (e *ParamsError) Error() string {
	return fmt.Sprintf("kernel %s takes %s: %s", e.Kernel, e.Takes, e.Problem)
}

// placed returns the parameters of j where the kernel expects them.
func placed(j *Job, image []byte) ([]Param, error) {
	img, err := cubin.Parse(image)
	if err != nil {
		return nil, err
	}
	return Place(j.Params, img, j.Kernel, j.Pointer)
}

// Place returns params with offsets, addresses widened to what the image gives an address. A
// kernel that declares its parameters takes these and no others; of a kernel in a text cubin
// only the room is known. pointer is how wide addresses are where the image does not say; if
// it is 0 too and matters, the room has to tell. The error is a *ParamsError.
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

// inferred returns how wide addresses are: what makes no difference, what alone fits, or what fills
// the room, as that of a kernel without static shared memory; 0 if none of these tells. Compilers
// round the room up for a dynamic array.
func inferred(params []Param, room int) int {
	narrow, short := natural(params, 4)
	wide, long := natural(params, 8)
	fills := func(size int) bool { return size == room || aligned(headerBytes+size, 16) == headerBytes+room }
	offset := func(a, b Param) bool { return a.Offset == b.Offset }
	switch {
	case slices.EqualFunc(narrow, wide, offset), long > room, fills(short) && !fills(long):
		return 4
	case fills(long) && !fills(short):
		return 8
	}
	return 0
}

// headerBytes are what the launch puts before the parameters into shared memory.
const headerBytes = 16

// natural lays params out as a compiler does, in order and each aligned to its size.
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

// declared lays params out over the parameters that k declares. A parameter with several values, a
// structure, takes as many arguments.
func declared(params []Param, k *cubin.Kernel, pointer int) ([]Param, error) {
	fail := func(format string, args ...any) ([]Param, error) {
		return nil, &ParamsError{k.Name, takes(k.Params), fmt.Sprintf(format, args...)}
	}
	out := slices.Clone(params)
	n, at := 0, 0 // parameters begun, and where in the last one the next argument may stand
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

// takes says in words which parameters there are.
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

// widen gives an address the width that the image wants.
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
