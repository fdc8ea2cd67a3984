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

	"jacquard/observe/trace/codec"
)

// frames returns all frames in the order of the file: from the indexes if the file ends with one,
// otherwise by a scan.
func (f *File) frames() ([]frame, error) {
	if list, ok := f.indexed(); ok {
		return list, nil
	}
	return f.scan()
}

// headerAt reads the frame header at an offset. why is its defect, "" if there is none.
func (f *File) headerAt(at int64) (fr frame, why string, err error) {
	var b [codec.HeaderSize]byte
	n, err := f.from.ReadAt(b[:], at)
	if n < codec.HeaderSize {
		if err == io.EOF {
			return fr, "the file was cut off here", nil
		}
		return fr, "", err
	}
	if why := fr.Parse(b[:]); why != "" {
		return fr, why, nil
	}
	fr.offset = at + codec.HeaderSize
	if int64(fr.Stored) > f.size-fr.offset {
		return fr, "the file was cut off inside the frame that begins here", nil
	}
	return fr, "", nil
}

// scan walks from frame to frame, up to the end or the first damaged frame.
func (f *File) scan() (list []frame, err error) {
	f.contents = contents{codec.MostContents}
	for at := int64(codec.FileHeaderSize); at < f.size; {
		fr, why, err := f.headerAt(at)
		if err != nil {
			return nil, err
		}
		if why != "" {
			f.Damage = &FormatError{at, why}
			break
		}
		if err := f.contents.take(codec.FrameSize, at); err != nil {
			return nil, err
		}
		list = append(list, fr)
		at = fr.offset + int64(fr.Stored)
	}
	return list, nil
}

// indexed reads the chain of indexes from the end of the file. It reports false if the chain is
// missing or damaged.
func (f *File) indexed() ([]frame, bool) {
	f.contents = contents{codec.MostContents}
	tail, why, err := f.headerAt(f.size - codec.HeaderSize)
	if f.size < codec.FileHeaderSize+codec.HeaderSize || err != nil || why != "" || tail.Kind != codec.TailFrame {
		return nil, false
	}
	var list []frame
	before := f.size
	for at := int64(tail.First); at != 0; {
		fr, why, err := f.headerAt(at)
		if err != nil || why != "" || fr.Kind != codec.IndexFrame || at >= before {
			return nil, false
		}
		if list, err = f.index(list, &fr, at); err != nil {
			return nil, false
		}
		before, at = at, int64(fr.First)
	}
	slices.SortFunc(list, func(a, b frame) int { return cmp.Compare(a.offset, b.offset) })
	for i := 1; i < len(list); i++ {
		if list[i-1].offset+int64(list[i-1].Stored) > list[i].offset-codec.HeaderSize {
			return nil, false // frames do not overlap
		}
	}
	return list, true
}

// errIndex reports a damaged index. It never leaves the package: the reader scans the file instead.
var errIndex = errors.New("a damaged index")

// index appends to list the frames of the index at offset end; all begin before end. The index is
// streamed: a long launch has a large one.
func (f *File) index(list []frame, fr *frame, end int64) ([]frame, error) {
	check := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	stored := io.TeeReader(io.NewSectionReader(f.from, fr.offset, int64(fr.Stored)), check)
	z, err := zstd.NewReader(stored,
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(codec.MostPayload))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	list = slices.Grow(list, min(int(fr.Raw)/codec.IndexEntry, int(f.size)/codec.HeaderSize))
	in := bufio.NewReader(z)
	for size := uint32(0); ; size += codec.IndexEntry {
		var entry [codec.IndexEntry]byte
		n, err := io.ReadFull(in, entry[:])
		if err == io.EOF && size == fr.Raw {
			break
		}
		var one frame
		at := binary.LittleEndian.Uint64(entry[:])
		if n < codec.IndexEntry || one.Parse(entry[8:]) != "" || at >= uint64(end) || one.Kind >= codec.IndexFrame {
			return nil, errIndex
		}
		if err := f.contents.take(codec.FrameSize, end); err != nil {
			return nil, err
		}
		one.offset = int64(at) + codec.HeaderSize
		list = append(list, one)
	}
	if _, err := io.Copy(io.Discard, stored); err != nil || check.Sum32() != fr.Sum {
		return nil, errIndex
	}
	return list, nil
}
