package cubin

import "jacquard/internal/debuginfo"

// Names of the sections of debugging information beside the line table.
const (
	sectionDebugAbbrev = ".debug_abbrev"
	sectionDebugInfo   = ".debug_info"
	sectionDebugRanges = ".debug_ranges"
	sectionDebugText   = ".debug_str"
)

// writeDebug writes the descriptions of all kernels that have one. files are the numbers of files in
// the line table.
func writeDebug(w *elfWriter, files map[string]int) {
	out := &debuginfo.Writer{File: func(path string) int { return files[path] }}
	for i := range w.img.Kernels {
		if k := &w.img.Kernels[i]; k.Debug != nil && w.wide {
			out.Add(k.Name, 4*len(k.Code), k.Debug)
		}
	}
	if len(out.Info) == 0 {
		return
	}
	w.add(outSection{name: sectionDebugAbbrev, kind: elfProgbits, data: debuginfo.Abbrev(), align: 1})
	number := len(w.sections)
	w.add(outSection{name: sectionDebugInfo, kind: elfProgbits, data: out.Info, align: 1})
	w.relocations(sectionRelocations+sectionDebugInfo, number, func() (b []byte) {
		symbols := map[string]int{}
		for i := range w.symbols {
			symbols[w.symbols[i].name] = i
		}
		for _, r := range out.Refs {
			if y, ok := symbols[r.Symbol]; ok {
				b = w.relocation(b, r.Offset, w.number(y), relocationAddress64)
			}
		}
		return b
	})
	w.add(outSection{name: sectionDebugRanges, kind: elfProgbits, data: out.Ranges, align: 1})
}
