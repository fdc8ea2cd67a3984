package cubintest

import "encoding/binary"

// names is a string table under construction.
type names []byte

func newNames() *names { return &names{0} }

func (n *names) add(name string) uint32 {
	if name == "" {
		return 0
	}
	at := len(*n)
	*n = append(append(*n, name...), 0)
	return uint32(at)
}

// file returns the file: header, contents without alignment, section headers.
func (w *elfWriter) file(arch uint32) []byte {
	symbolNames := newNames()
	var table []byte
	for _, s := range w.symbols {
		table = w.symbolRecord(table, symbolNames.add(s.name), &s)
	}
	strings := w.add(elfSection{name: ".strtab", kind: strtab, data: *symbolNames})
	w.add(elfSection{name: ".symtab", kind: symtab, data: table, link: uint32(strings), info: 1, entry: w.pick(16, 24)})
	sectionNames := newNames()
	places := make([]uint32, 0, len(w.sections)+1)
	for _, s := range w.sections {
		places = append(places, sectionNames.add(s.name))
	}
	places = append(places, sectionNames.add(".shstrtab"))
	w.add(elfSection{name: ".shstrtab", kind: strtab, data: *sectionNames})

	b := make([]byte, w.pick(52, 64))
	var headers []byte
	for i, s := range w.sections {
		size := s.size
		if s.kind != nobits {
			size = len(s.data)
		}
		headers = w.sectionRecord(headers, places[i], &s, len(b), size)
		if s.kind != nobits {
			b = append(b, s.data...)
		}
	}
	w.header(b, arch)
	return append(b, headers...)
}

func (w *elfWriter) pick(narrow, wide int) int {
	if w.Wide {
		return wide
	}
	return narrow
}

// header fills in the file header at the start of b. The section headers will follow b.
func (w *elfWriter) header(b []byte, arch uint32) {
	le := binary.LittleEndian
	abi, flags := byte(2), arch|arch<<16
	if w.Old {
		abi, flags = 0, arch
	}
	copy(b, []byte{0x7f, 'E', 'L', 'F', byte(w.pick(1, 2)), 1, 1, 0x33, abi})
	le.PutUint16(b[16:], 2)   // an executable
	le.PutUint16(b[18:], 190) // machine
	le.PutUint32(b[20:], 1)
	tail := b[36:]
	if w.Wide {
		le.PutUint64(b[40:], uint64(len(b)))
		tail = b[48:]
	} else {
		le.PutUint32(b[32:], uint32(len(b)))
	}
	le.PutUint32(tail, flags)
	for i, v := range []int{w.pick(52, 64), w.pick(32, 56), 0, w.pick(40, 64), len(w.sections), len(w.sections) - 1} {
		le.PutUint16(tail[4+2*i:], uint16(v))
	}
}

func (w *elfWriter) sectionRecord(b []byte, name uint32, s *elfSection, offset, size int) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, name)
	b = le.AppendUint32(b, s.kind)
	b = w.words(b, s.flags, 0, uint64(offset), uint64(size))
	b = le.AppendUint32(b, s.link)
	b = le.AppendUint32(b, s.info)
	return w.words(b, 1, uint64(s.entry))
}

func (w *elfWriter) symbolRecord(b []byte, name uint32, s *elfSymbol) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, name)
	if w.Wide {
		b = le.AppendUint16(append(b, s.info, s.other), uint16(s.section))
		return w.words(b, uint64(s.value), uint64(s.size))
	}
	b = w.words(b, uint64(s.value), uint64(s.size))
	return le.AppendUint16(append(b, s.info, s.other), uint16(s.section))
}
