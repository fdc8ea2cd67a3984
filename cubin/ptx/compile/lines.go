package compile

import (
	"jacquard/cubin"
	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile/code"
)

// sources are the paths of source files, by the numbers of .file.
type sources map[int32]string

func newSources(m *ptx.Module) sources {
	s := sources{}
	for _, f := range m.Files {
		s[int32(f.Number)] = f.Path
	}
	return s
}

// lines returns the line table of a kernel. Code of files that the module does not name has no
// entry.
func (s sources) lines(entries []code.LineEntry) []cubin.Line {
	var out []cubin.Line
	for _, e := range entries {
		l := cubin.Line{Offset: e.Offset, File: s[e.File], Line: int(e.Line)}
		switch n := len(out); {
		case l.File == "":
		case n > 0 && out[n-1].Offset == l.Offset:
			out[n-1] = l
		default:
			out = append(out, l)
		}
	}
	return out
}
