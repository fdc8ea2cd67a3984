package compile

import (
	"jacquard/cubin"
	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile/code"
)

// sources numbers the source files that line tables name, in the order of their first use.
type sources struct {
	paths   map[int32]string // by the numbers of .file
	numbers map[string]int
	files   []string
}

func newSources(m *ptx.Module) *sources {
	s := &sources{paths: map[int32]string{}, numbers: map[string]int{}}
	for _, f := range m.Files {
		s.paths[int32(f.Number)] = f.Path
	}
	return s
}

// lines returns the line table of a kernel. Code of files that the module does not name has no
// entry.
func (s *sources) lines(entries []code.LineEntry) []cubin.Line {
	var out []cubin.Line
	for _, e := range entries {
		path := s.paths[e.File]
		if path == "" {
			continue
		}
		l := cubin.Line{Offset: e.Offset, File: s.number(path), Line: int(e.Line)}
		if n := len(out); n > 0 && out[n-1].Offset == l.Offset {
			out[n-1] = l
		} else {
			out = append(out, l)
		}
	}
	return out
}

func (s *sources) number(path string) int {
	n, ok := s.numbers[path]
	if !ok {
		n = len(s.files)
		s.numbers[path] = n
		s.files = append(s.files, path)
	}
	return n
}
