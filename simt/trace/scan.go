package trace

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
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
	f.contents = contents{mostContents}
	for at := int64(fileHeaderSize); at < f.size; {
		fr, why, err := f.headerAt(at)
		if err != nil {
			return nil, err
		}
		if why != "" {
			f.Damage = &FormatError{at, why}
			break
		}
		if err := f.contents.take(frameSize, at); err != nil {
			return nil, err
		}
		list = append(list, fr)
		at = fr.offset + int64(fr.stored)
	}
	return list, nil
}

// indexed reads the chain of indexes from the end of the file. It reports false if there is
// none, or something about it is wrong.
func (f *File) indexed() ([]frame, bool) {
	f.contents = contents{mostContents}
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
		if list, err = f.index(list, &fr, at); err != nil {
			return nil, false
		}
		before, at = at, int64(fr.first)
	}
	slices.SortFunc(list, func(a, b frame) int { return cmp.Compare(a.offset, b.offset) })
	for i := 1; i < len(list); i++ {
		if list[i-1].offset+int64(list[i-1].stored) > list[i].offset-headerSize {
			return nil, false // no two frames have bytes in common
		}
	}
	return list, true
}

// indexEntry is what an index has of a frame: where it begins, and its header.
const indexEntry = 8 + headerSize

// errIndex is an index that is not as it should be. Nobody is told: the file is read without.
var errIndex = errors.New("a damaged index")

// index appends to list the frames of an index that begins at end. The index is never whole in
// memory: one of a long launch is large.
func (f *File) index(list []frame, fr *frame, end int64) ([]frame, error) {
	check := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	stored := io.TeeReader(io.NewSectionReader(f.from, fr.offset, int64(fr.stored)), check)
	z, err := zstd.NewReader(stored, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(mostPayload))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	list = slices.Grow(list, min(int(fr.raw)/indexEntry, int(f.size)/headerSize))
	in := bufio.NewReader(z)
	for size := uint32(0); ; size += indexEntry {
		var entry [indexEntry]byte
		n, err := io.ReadFull(in, entry[:])
		if err == io.EOF && size == fr.raw {
			break
		}
		var one frame
		at := binary.LittleEndian.Uint64(entry[:])
		if n < indexEntry || one.get(entry[8:]) != "" || at >= uint64(end) || one.kind >= kindIndex {
			return nil, errIndex
		}
		if err := f.contents.take(frameSize, end); err != nil {
			return nil, err
		}
		one.offset = int64(at) + headerSize
		list = append(list, one)
	}
	if _, err := io.Copy(io.Discard, stored); err != nil || check.Sum32() != fr.sum {
		return nil, errIndex
	}
	return list, nil
}
