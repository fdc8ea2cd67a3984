package load

import (
	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// Arch returns the architecture that PTX for a target is compiled for without a choice: the target
// itself, or sm_13 for targets of later generations.
func Arch(target int) tesla.Arch {
	for a := tesla.SM10; a < tesla.SM13; a++ {
		if target == 10+int(a) {
			return a
		}
	}
	return tesla.SM13
}

// Compile compiles a PTX text as [compile.Compile] does. Messages call the text by name.
func Compile(name string, text []byte, o compile.Options) (*cubin.Image, error) {
	m, err := ptx.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return compile.Compile(m, o)
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

// Latest returns the PTX that a device of an architecture takes: the text with the latest target
// not above it, else the earliest above it; nil if there is none.
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
