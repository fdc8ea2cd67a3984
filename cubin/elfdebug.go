package cubin

import (
	"encoding/binary"
	"slices"
	"strings"

	"jacquard/internal/debuginfo"
)

// readDebug reads the descriptions of kernels. As drivers do, it passes over what is broken: code
// runs without it.
func (m *elfModule) readDebug() error {
	info := m.content(sectionDebugInfo)
	if !m.wide || len(info) == 0 {
		return nil
	}
	units, err := debuginfo.Read(debuginfo.Sections{
		Abbrev: m.content(sectionDebugAbbrev), Info: m.relocated(sectionDebugInfo, info),
		Ranges: m.relocated(sectionDebugRanges, m.content(sectionDebugRanges)), Str: m.content(sectionDebugText),
		File: m.lineFile, Symbol: m.symbolAt,
	})
	if err != nil {
		return nil
	}
	for _, u := range units {
		for _, root := range u.Roots {
			base := root.Ranges[0].From &^ (symbolStep - 1)
			if k := m.kernelAt(base); k != nil && move(root, base, uint64(4*len(k.Code))) {
				k.Debug = &debuginfo.Info{Root: root, Globals: u.Globals}
			}
		}
	}
	return nil
}

// symbolStep is the distance of the addresses that symbols get.
const symbolStep = 1 << 32

// content returns the content of a section, nil if there is none.
func (m *elfModule) content(name string) []byte {
	i := slices.IndexFunc(m.sections, func(s elfSection) bool { return s.name == name })
	if i < 0 {
		return nil
	}
	return m.sections[i].data
}

// relocated returns the content of a section with addresses: those of symbol i begin at (i + 1) steps.
func (m *elfModule) relocated(name string, data []byte) []byte {
	data = slices.Clone(data)
	le := binary.LittleEndian
	for _, s := range m.sections {
		added := s.kind == elfRela
		step := elfRel64
		if added {
			step += 8
		}
		if s.name != sectionRelocations+name && s.name != ".rela"+name {
			continue
		}
		for b := s.data; len(b) >= step; b = b[step:] {
			at, symbol, kind := le.Uint64(b), le.Uint32(b[12:]), le.Uint32(b[8:])
			if kind != relocationAddress64 || !within(at, 8, uint64(len(data))) || uint64(symbol) >= uint64(len(m.symbols)) {
				continue
			}
			addend := le.Uint64(data[at:])
			if added {
				addend = le.Uint64(b[16:])
			}
			le.PutUint64(data[at:], (uint64(symbol)+1)*symbolStep+addend)
		}
	}
	return data
}

// symbolAt returns the variable at an address that relocated gave.
func (m *elfModule) symbolAt(address uint64) (name string, offset uint64, ok bool) {
	i := address/symbolStep - 1
	if i >= uint64(len(m.symbols)) || m.symbols[i].kind != symbolObject {
		return "", 0, false
	}
	return m.symbols[i].name, address % symbolStep, true
}

// kernelAt returns the kernel at an address that relocated gave, nil if there is none.
func (m *elfModule) kernelAt(address uint64) *Kernel {
	i := address/symbolStep - 1
	if i >= uint64(len(m.symbols)) {
		return nil
	}
	name, ok := strings.CutPrefix(m.sections[m.symbols[i].section].name, sectionText)
	if !ok {
		return nil
	}
	return m.kernels[name]
}

// lineFile returns the path of a file's number.
func (m *elfModule) lineFile(table, number int64) string {
	files := m.lineFiles[table]
	if number < 1 || number > int64(len(files)) {
		return ""
	}
	return files[number-1]
}

// move makes the addresses of a scope those of a kernel's code. It reports false if one lies
// elsewhere.
func move(s *debuginfo.Scope, base, size uint64) bool {
	for i := range s.Ranges {
		r := &s.Ranges[i]
		if r.From -= base; r.From > size || r.To-base > size {
			return false
		}
		r.To -= base
	}
	return !slices.ContainsFunc(s.Inner, func(inner *debuginfo.Scope) bool { return !move(inner, base, size) })
}
