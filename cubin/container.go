package cubin

import (
	"bytes"
	"fmt"

	"jacquard/tesla"
)

// Container is a file format that may hold machine code or its source.
type Container uint8

// The containers that drivers of this generation accept.
const (
	Unknown   Container = iota
	Empty               // no data before the first NUL
	Text                // text cubin, CUDA 1.0 .. 2.3
	ELF                 // ELF cubin, CUDA 3.0 on
	FatBinary           // flat fat binary, its wrapper, or the old struct
	PTX                 // source for NVIDIA's compiler, no machine code
)

var containerNames = [...]string{
	Unknown:   "unknown data",
	Empty:     "empty data",
	Text:      "text cubin",
	ELF:       "ELF cubin",
	FatBinary: "fat binary",
	PTX:       "PTX",
}

// String returns the container's name in words.
func (c Container) String() string { return tesla.NameOf(containerNames[:], "Container", c) }

// ContainerError says that data is in no known container.
type ContainerError struct {
	Container Container // Unknown or Empty
	Start     [8]byte   // the first bytes of the data; zero beyond its end
}

// Error says how the data begins.
func (e *ContainerError) Error() string {
	if e.Container == Empty {
		return "unsupported container: " + e.Container.String()
	}
	return fmt.Sprintf("unsupported container: %s that starts with % x", e.Container, e.Start)
}

// Magic numbers, as the bytes of a file or of memory.
const (
	magicELF     = "\x7fELF"
	magicFlat    = "\x50\xed\x55\xba" // container of CUDA 4.0 and later
	magicWrapper = "\xb1\x43\x62\x46" // struct that points at one
	magicStruct  = "\x01\x5a\xe5\x1e" // struct of CUDA 1.x .. 3.x
)

// magic returns the magic number that data starts with, or "" if there is none.
func magic(data []byte) string {
	for _, m := range []string{magicELF, magicFlat, magicWrapper, magicStruct} {
		if bytes.HasPrefix(data, []byte(m)) {
			return m
		}
	}
	return ""
}

// Sniff returns the container of data, judged by its first bytes alone.
func Sniff(data []byte) Container {
	switch magic(data) {
	case magicELF:
		return ELF
	case magicFlat, magicWrapper, magicStruct:
		return FatBinary
	}
	if end := bytes.IndexByte(data, 0); end >= 0 {
		data = data[:end]
	}
	data = bytes.TrimLeft(data, blanks)
	switch {
	case len(data) == 0:
		return Empty
	case data[0] == '.', bytes.HasPrefix(data, []byte("//")), bytes.HasPrefix(data, []byte("/*")):
		return PTX
	case 'a' <= data[0] && data[0] <= 'z':
		return Text // blocks come in any order; the reader reports an unknown key
	}
	return Unknown
}

// Parse reads the module in data and does not keep data. Of a fat binary it reads the entry that an
// sm_13 device would run. The error is a [*ContainerError], [*MemoryError] or [*NoCodeError], or
// the container's own: [*ParseError] for text cubins, [*ELFError], [*FatBinaryError].
func Parse(data []byte) (*Image, error) {
	c, err := Read(data)
	if err != nil {
		return nil, err
	}
	return c.Image(tesla.SM13)
}
