package compile

import (
	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile/code"
)

// sources are the paths of source files, by the numbers of .file.
type sources map[int32]string

// ofText is the number of the PTX text itself. No .file has it.
const ofText = -1

// traced returns k with a .loc for each instruction that names its line in the text. A kernel that
// has .loc lines stays as it is.
func traced(k *ptx.Func) *ptx.Func {
	body := make([]ptx.Stmt, 0, 2*len(k.Body))
	for _, s := range k.Body {
		switch s := s.(type) {
		case *ptx.Loc:
			return k
		case *ptx.Instr:
			body = append(body, &ptx.Loc{Pos: s.Pos, File: ofText, Line: s.Pos.Line})
		}
		body = append(body, s)
	}
	made := *k
	made.Body = body
	return &made
}

func newSources(m *ptx.Module) sources {
	s := sources{ofText: m.Name}
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
		if file := s[e.File]; file != "" {
			out = append(out, cubin.Line{Offset: e.Offset, File: file, Line: int(e.Line)})
		}
	}
	return out
}
