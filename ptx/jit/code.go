package jit

import (
	"encoding/binary"
	"fmt"

	"jacquard/cubin"
)

// Code is compiled PTX. It is read-only.
type Code struct {
	Cubin   []byte       // an ELF cubin
	Entry   *cubin.Entry // it as the entry of a module
	Image   *cubin.Image // the image made of it
	Virtual int          // the target of the PTX: 20 for sm_20
	Cached  bool         // it comes from the cache
}

// newCode reads a cubin. Any error is a limit of the machine that the code exceeds.
func newCode(file []byte, virtual int) (*Code, error) {
	contents, err := cubin.Read(file)
	if err != nil {
		return nil, err
	}
	e := &contents.Entries[0]
	image, err := e.Image()
	if err != nil {
		return nil, err
	}
	return &Code{Cubin: file, Entry: e, Image: image, Virtual: virtual}, nil
}

// keep returns the form of code in the cache: the target, and the cubin.
func (c *Code) keep() []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(c.Virtual)), c.Cubin...)
}

// kept is the inverse of keep.
func kept(data []byte) (*Code, error) {
	if len(data) < 4 {
		return nil, fmt.Errorf("cached code of %d bytes", len(data))
	}
	return newCode(data[4:], int(binary.LittleEndian.Uint32(data)))
}
