package load

import (
	"strings"

	"jacquard/cubin"
	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile"
	"jacquard/cubin/ptx/compile/library"
	"jacquard/tesla"
)

// Error holds the mistakes in a PTX text, or what the architecture cannot express of it.
type Error struct{ All []error }

// Error returns all messages, one per line. Most begin with "name:line:column: ".
func (e *Error) Error() string {
	lines := make([]string, len(e.All))
	for i, one := range e.All {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors for errors.As.
func (e *Error) Unwrap() []error { return e.All }

func newError(err error) *Error {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		return &Error{several.Unwrap()}
	}
	return &Error{[]error{err}}
}

// Arch returns the architecture that PTX for a target is compiled for where nobody chooses: the
// target itself, or sm_13 for targets of later generations.
func Arch(target int) tesla.Arch {
	for a := tesla.SM10; a < tesla.SM13; a++ {
		if target == 10+int(a) {
			return a
		}
	}
	return tesla.SM13
}

// Compile compiles a PTX text whose name stands in messages. Without a library in o it takes the
// compiler's own. The error is an [*Error].
func Compile(name string, text []byte, o compile.Options) (*cubin.Image, error) {
	m, err := Parse(name, text)
	if err != nil {
		return nil, err
	}
	return Module(m, o)
}

// Parse is [ptx.Parse] with an [*Error].
func Parse(name string, text []byte) (*ptx.Module, error) {
	m, err := ptx.Parse(name, text)
	if err != nil {
		return nil, newError(err)
	}
	return m, nil
}

// Module is Compile for a text that was parsed.
func Module(m *ptx.Module, o compile.Options) (*cubin.Image, error) {
	if o.Library == nil {
		o.Library = library.Module()
	}
	image, err := compile.Compile(m, o)
	if err != nil {
		return nil, newError(err)
	}
	return image, nil
}

// Entry returns the machine code that an entry of PTX becomes: an ELF cubin.
func Entry(e *cubin.Entry, name string, o compile.Options) (*cubin.Entry, error) {
	text, err := e.Data()
	if err != nil {
		return nil, err
	}
	image, err := Compile(name, text, o)
	if err != nil {
		return nil, err
	}
	data, err := cubin.FormatELF(image)
	if err != nil {
		return nil, err
	}
	contents, err := cubin.Read(data)
	if err != nil {
		return nil, err
	}
	made := contents.Entries[0]
	made.Source = e.Source
	return &made, nil
}

// Latest returns the PTX that a device of an architecture takes: that of the latest target not
// above it, or else that of the earliest above it; nil if there is none.
func Latest(c *cubin.Contents, a tesla.Arch) *cubin.Entry {
	var best *cubin.Entry
	own := 10 + int(a)
	for i := range c.Entries {
		e := &c.Entries[i]
		if e.Container != cubin.PTX {
			continue
		}
		switch {
		case best == nil:
			best = e
		case e.Arch <= own && (best.Arch > own || e.Arch > best.Arch), best.Arch > own && e.Arch < best.Arch:
			best = e
		}
	}
	return best
}

// Contents returns contents with machine code for a device: c itself if there is some in it, or if
// it holds no PTX either. What PTX becomes stands alone in the result.
func Contents(c *cubin.Contents, name string, o compile.Options) (*cubin.Contents, error) {
	if _, err := c.Select(o.Arch); err == nil {
		return c, nil
	}
	e := Latest(c, o.Arch)
	if e == nil {
		return c, nil
	}
	made, err := Entry(e, name, o)
	if err != nil {
		return nil, err
	}
	return &cubin.Contents{Container: cubin.ELF, Entries: []cubin.Entry{*made}, Size: made.Stored()}, nil
}
