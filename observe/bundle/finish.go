package bundle

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Finish appends the closing frame to the bundle in a file, in place of an earlier one. A recorder
// cannot write it, because it is part of the program that ends. Finish returns the number of launches.
// The error is a *CutError if the recording breaks off within a launch, a *FormatError if the file is
// no bundle.
func Finish(path string, c Closing) (launches int, err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return 0, fmt.Errorf("bundle: %w", err)
	}
	launches, err = finish(f, c)
	return launches, errors.Join(err, f.Close())
}

func finish(f *os.File, c Closing) (launches int, err error) {
	end, launches, err := lastFrame(f)
	if err != nil {
		return launches, err
	}
	z, err := newEncoder()
	if err != nil {
		return launches, err
	}
	defer z.Close()
	payload, err := description(&c)
	if err == nil {
		err = errors.Join(f.Truncate(end), writeAt(f, appendFrame(nil, z, header{kind: kindClose}, payload), end))
	}
	if err != nil {
		return launches, fmt.Errorf("bundle: %w", err)
	}
	return launches, nil
}

func writeAt(f *os.File, data []byte, at int64) error {
	_, err := f.WriteAt(data, at)
	return err
}

// lastFrame goes from header to header. It returns the end of the last frame that is no closing one,
// and the number of whole launches.
func lastFrame(f *os.File) (end int64, whole int, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, fmt.Errorf("bundle: %w", err)
	}
	r, err := NewReader(io.NewSectionReader(f, 0, info.Size()))
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	begun := map[uint32]bool{}
	end = fileHeaderSize
	for at := end; at < info.Size(); {
		var head [headerSize]byte
		if _, err := f.ReadAt(head[:], at); err != nil && err != io.EOF {
			return 0, whole, fmt.Errorf("bundle: %w", err)
		} else if err == io.EOF {
			return 0, whole, &CutError{at, whole}
		}
		var h header
		if problem := h.get(head[:]); problem != "" {
			return 0, whole, &FormatError{Offset: at, Reason: problem}
		}
		next := at + headerSize + int64(h.stored)
		switch {
		case next > info.Size():
			return 0, whole, &CutError{at, whole}
		case h.kind == kindObjects, h.kind == kindInputs, h.kind == kindLaunch:
			begun[h.number] = true
		case h.kind == kindEnd:
			delete(begun, h.number)
			whole++
		}
		if h.kind != kindClose {
			end = next
		}
		at = next
	}
	if len(begun) > 0 {
		return 0, whole, &CutError{info.Size(), whole}
	}
	return end, whole, nil
}
