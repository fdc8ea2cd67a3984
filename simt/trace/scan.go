package trace

import (
	"cmp"
	"encoding/binary"
	"io"
	"slices"
)

// frames returns all frames that describe something, in the order of the file: from the indexes
// if the last of them stands at the end, else by walking from frame to frame.
func (f *File) frames() ([]frame, error) {
	if list, ok := f.indexed(); ok {
		return list, nil
	}
	return f.scan()
}

// headerAt reads the frame header at an offset. It reports what is wrong with it.
func (f *File) headerAt(at int64) (fr frame, why string, err error) {
	var b [headerSize]byte
	n, err := f.from.ReadAt(b[:], at)
	if n < headerSize {
		if err == io.EOF {
			return fr, "the file was cut off here", nil
		}
		return fr, "", err
	}
	if why := fr.get(b[:]); why != "" {
		return fr, why, nil
	}
	fr.offset = at + headerSize
	if int64(fr.stored) > f.size-fr.offset {
		return fr, "the file was cut off inside the frame that begins here", nil
	}
	return fr, "", nil
}

// scan walks from frame to frame, up to the end or to the first that is damaged.
func (f *File) scan() (list []frame, err error) {
	for at := int64(fileHeaderSize); at < f.size; {
		fr, why, err := f.headerAt(at)
		if err != nil {
			return nil, err
		}
		if why != "" {
			f.Damage = &FormatError{at, why}
			break
		}
		list = append(list, fr)
		at = fr.offset + int64(fr.stored)
	}
	return list, nil
}

// indexed reads the chain of indexes from the end of the file. It reports false if there is
// none, or something about it is wrong.
func (f *File) indexed() ([]frame, bool) {
	tail, why, err := f.headerAt(f.size - headerSize)
	if f.size < fileHeaderSize+headerSize || err != nil || why != "" || tail.kind != kindTail {
		return nil, false
	}
	var list []frame
	before := f.size
	for at := int64(tail.first); at != 0; {
		fr, why, err := f.headerAt(at)
		if err != nil || why != "" || fr.kind != kindIndex || at >= before {
			return nil, false
		}
		var in load
		if f.load(&fr, &in) != nil {
			return nil, false
		}
		part, ok := parseIndex(in.data, at)
		if !ok {
			return nil, false
		}
		list = append(list, part...)
		before, at = at, int64(fr.first)
	}
	slices.SortFunc(list, func(a, b frame) int { return cmp.Compare(a.offset, b.offset) })
	return list, true
}

// parseIndex reads the entries of an index that begins at end.
func parseIndex(data []byte, end int64) (list []frame, ok bool) {
	const entry = 8 + headerSize
	for ; len(data) >= entry; data = data[entry:] {
		var fr frame
		at := binary.LittleEndian.Uint64(data)
		if fr.get(data[8:]) != "" || at > uint64(end) {
			return nil, false
		}
		fr.offset = int64(at) + headerSize
		list = append(list, fr)
	}
	return list, len(data) == 0
}
