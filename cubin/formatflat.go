package cubin

import "encoding/binary"

// Values of the flat container that only its writer needs.
const (
	flatMagic = 0xba55ed50
	flatAlign = 8 // of entries and their content

	// flatFlags says that the entry was made on Linux, for CUDA, by a 64-bit compiler.
	flatFlags = 0x15
)

// FormatFatBinary writes entries as a flat fat binary, the container of CUDA 4.0 and later. It
// stores them without compression. [Read] gives them back, followed by zeros up to a multiple of
// eight bytes; PTX has one zero at least.
//
// The error is a [*FatBinaryError] if an entry is not machine code or PTX, or names no
// architecture; else it comes from [Entry.Data].
func FormatFatBinary(entries []Entry) ([]byte, error) {
	le := binary.LittleEndian
	b := le.AppendUint16(le.AppendUint32(nil, flatMagic), flatVersion)
	b = le.AppendUint16(b, flatHeader)
	b = le.AppendUint64(b, 0) // the size: it is not known yet
	for i := range entries {
		var err error
		if b, err = entries[i].appendFlat(b); err != nil {
			return nil, err
		}
	}
	le.PutUint64(b[8:], uint64(len(b)-flatHeader))
	return b, nil
}

// appendFlat appends the header and the content of an entry to a container.
func (e *Entry) appendFlat(b []byte) ([]byte, error) {
	at := uint64(len(b))
	kind, known := map[Container]uint16{PTX: flatKindPTX, ELF: flatKindELF, Text: flatKindText}[e.Container]
	switch {
	case !known:
		return nil, fatErrorf(at, "%s is no entry", e.Container)
	case e.Arch <= 0 || e.Arch > maxArch:
		return nil, fatErrorf(at, "%s for %s", e.Container, e.Target())
	}
	data, err := e.Data()
	if err != nil {
		return nil, err
	}
	size := len(data)
	if e.Container == PTX {
		size++ // readers take it for a string
	}
	header := make([]byte, aligned(flatSizeAt+8+len(e.Source)))
	le := binary.LittleEndian
	le.PutUint16(header, kind)
	le.PutUint16(header[2:], flatEntrySized)
	le.PutUint32(header[4:], uint32(len(header)))
	le.PutUint64(header[8:], uint64(aligned(size)))
	le.PutUint32(header[28:], uint32(e.Arch))
	if e.Source != "" {
		le.PutUint32(header[32:], flatSizeAt+8)
		le.PutUint32(header[36:], uint32(len(e.Source)))
	}
	le.PutUint64(header[40:], flatFlags)
	copy(header[flatSizeAt+8:], e.Source)
	b = append(append(b, header...), data...)
	return append(b, make([]byte, aligned(size)-len(data))...), nil
}

// aligned rounds a size up to whole units of the container.
func aligned(size int) int { return (size + flatAlign - 1) &^ (flatAlign - 1) }
