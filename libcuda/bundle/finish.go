package bundle

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Finish appends to the bundle in a file that the recording is over, which its recorder cannot know: it is part of the
// program. The error is a *CutError if the recording breaks off within a launch, a *FormatError if the file is no bundle.
func Finish(path string, c Closing) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	return errors.Join(finish(f, c), f.Close())
}

func finish(f *os.File, c Closing) error {
	end, err := lastFrame(f)
	if err != nil {
		return err
	}
	z, err := newEncoder()
	if err != nil {
		return err
	}
	defer z.Close()
	payload, err := description(&c)
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	if _, err := f.WriteAt(appendFrame(nil, z, header{kind: kindClose}, payload), end); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	return nil
}

// lastFrame goes from header to header, and returns where the last frame ends: at the end of the file.
func lastFrame(f *os.File) (end int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, fmt.Errorf("bundle: %w", err)
	}
	r, err := NewReader(io.NewSectionReader(f, 0, info.Size()))
	if err != nil {
		return 0, err
	}
	defer r.Close()
	begun, whole := map[uint32]bool{}, 0
	at := int64(fileHeaderSize)
	for at < info.Size() {
		var head [headerSize]byte
		if _, err := f.ReadAt(head[:], at); err != nil && err != io.EOF {
			return 0, fmt.Errorf("bundle: %w", err)
		} else if err == io.EOF {
			return 0, &CutError{at, whole}
		}
		var h header
		if problem := h.get(head[:]); problem != "" {
			return 0, &FormatError{at, problem}
		}
		next := at + headerSize + int64(h.stored)
		switch {
		case next > info.Size():
			return 0, &CutError{at, whole}
		case h.kind == kindObjects, h.kind == kindInputs, h.kind == kindLaunch:
			begun[h.number] = true
		case h.kind == kindEnd:
			delete(begun, h.number)
			whole++
		}
		at = next
	}
	if len(begun) > 0 {
		return 0, &CutError{at, whole}
	}
	return at, nil
}
