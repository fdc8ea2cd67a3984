package debug

import (
	"path"
	"slices"
	"strings"

	"jacquard/internal/debuginfo"
	"jacquard/simt"
	"jacquard/simt/source"
	"jacquard/tesla"
)

// code is the code of a kernel, with its lines.
type code struct {
	p     *simt.Program
	lines []source.Line // by instruction, and one for code outside
	calls bool          // it has calls
}

func newCode(k Kernel) *code {
	p := k.Request.Program
	c := &code{p: p, lines: make([]source.Line, p.Instructions()+1)}
	for i := range p.Instructions() {
		u := &p.Code[i]
		c.lines[i] = c.own(i)
		for _, f := range p.Kernel.Debug.Frames(uint64(u.PC), debuginfo.Line(c.lines[i])) {
			if !source.System(f.Line.File) && f.Line.Line != 0 {
				c.lines[i] = source.Line(f.Line)
				break
			}
		}
		c.calls = c.calls || calls(u.Ins.Op)
	}
	c.leaveHeaders()
	return c
}

// leaveHeaders gives instructions of headers that nobody debugs, such as those of threadIdx, of which
// it is unknown who calls them, the line of the user's code before them, or the first one after.
func (c *code) leaveHeaders() {
	var user source.Line
	for _, l := range slices.Backward(c.lines) {
		if l.Line != 0 && !source.System(l.File) {
			user = l
		}
	}
	for i, l := range c.lines[:len(c.lines)-1] {
		switch {
		case !source.System(l.File):
			if l.Line != 0 {
				user = l
			}
		case user.Line != 0:
			c.lines[i] = user
		}
	}
}

// own returns the line of an instruction itself, which may be one of a header.
func (c *code) own(i int) source.Line {
	if c.p.Kernel.Source == nil || i >= len(c.p.Code) {
		return source.Line{}
	}
	return c.p.Kernel.Source(c.p.Code[i].PC)
}

// is reports whether an instruction has an operation.
func (c *code) is(i int, op tesla.Op) bool { return i < len(c.p.Code) && c.p.Code[i].Ins.Op == op }

// index returns the instruction at a pc, or the one outside the code.
func (c *code) index(pc uint32) int {
	i, _ := c.p.Index(pc)
	return min(i, len(c.lines)-1)
}

// place returns the place of an instruction.
func (c *code) place(i int) Place {
	p := Place{File: c.lines[i].File, Line: c.lines[i].Line}
	if i < len(c.p.Code) {
		p.PC = c.p.Code[i].PC
	}
	return p
}

// named reports whether a kernel has a name: its own, or the name in the source.
func named(kernel, name string) bool {
	return name == "" || kernel == name || plainName(kernel) == name
}

// plainName returns the name of a function in the source, without its parameters and namespaces.
func plainName(mangled string) string {
	rest, ok := strings.CutPrefix(mangled, "_Z")
	if !ok {
		return mangled
	}
	name := ""
	rest = strings.TrimPrefix(rest, "L")
	nested := strings.HasPrefix(rest, "N")
	rest = strings.TrimPrefix(rest, "N")
	for rest != "" {
		n, digits := 0, 0
		for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
			n = 10*n + int(rest[digits]-'0')
			digits++
		}
		if digits == 0 || n > len(rest)-digits {
			break
		}
		name, rest = rest[digits:digits+n], rest[digits+n:]
		if !nested {
			break
		}
	}
	if name == "" {
		return mangled
	}
	return name
}

// sameFile reports whether a file of a line table is meant by the end of a path.
func sameFile(file, asked string) bool {
	file, asked = path.Clean(file), path.Clean(asked)
	return file == asked || strings.HasSuffix(file, "/"+asked) || strings.HasSuffix(asked, "/"+file) ||
		path.Base(file) == asked || path.IsAbs(asked) && path.Base(file) == path.Base(asked) && !strings.Contains(file, "/")
}

// slack is how far before the first line of a kernel a breakpoint may be: its head has no code.
const slack = 3

// at returns the instructions of a line of source, or of the next line of the kernel with code.
func (c *code) at(file string, line int) (list []int, found int) {
	least, first := 0, 0
	for _, l := range c.lines {
		if l.Line == 0 || !sameFile(l.File, file) {
			continue
		}
		if first == 0 || l.Line < first {
			first = l.Line
		}
		if l.Line >= line && (least == 0 || l.Line < least) {
			least = l.Line
		}
	}
	if least == 0 || line < first-slack {
		return nil, 0
	}
	for i, l := range c.lines {
		if l.Line == least && sameFile(l.File, file) {
			list = append(list, i)
		}
	}
	return list, least
}

// starts returns the instructions of a list that do not follow another of it.
func starts(list []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return slices.Contains(list, i-1) })
}
