package cubin

import (
	"bytes"
	"fmt"
)

// Container is a file format that may hold machine code or its source.
type Container uint8

// The containers a driver of this generation was handed.
const (
	Unknown   Container = iota
	Empty               // no data before the first NUL
	Text                // text cubin, CUDA 1.0 .. 2.3
	ELF                 // ELF cubin, CUDA 3.0 on
	FatBinary           // flat fat binary, its wrapper, or the old struct
	PTX                 // source for NVIDIA's compiler: there is no machine code in it
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
func (c Container) String() string {
	if int(c) < len(containerNames) {
		return containerNames[c]
	}
	return fmt.Sprintf("Container(%d)", uint8(c))
}

// ContainerError says that data is in a container Parse cannot read.
type ContainerError struct {
	Container Container
	Start     []byte // at most the first 8 bytes of the data
}

// Error names the container and, where that helps, what to do.
func (e *ContainerError) Error() string {
	const prefix = "unsupported container: "
	switch e.Container {
	case PTX:
		return prefix + "PTX has no machine code: compile it to a cubin for sm_10 .. sm_13"
	case Unknown:
		return fmt.Sprintf("%s%s that starts with % x", prefix, e.Container, e.Start)
	default:
		return prefix + e.Container.String()
	}
}

// Magic numbers, as bytes of a file or of memory.
var magics = []struct {
	bytes     string
	container Container
}{
	{"\x7fELF", ELF},
	{"\x50\xed\x55\xba", FatBinary}, // flat container
	{"\xb1\x43\x62\x46", FatBinary}, // wrapper struct
	{"\x01\x5a\xe5\x1e", FatBinary}, // struct of CUDA 1.x .. 3.x
}

// Sniff tells which container data is, from its first bytes alone.
func Sniff(data []byte) Container {
	for _, m := range magics {
		if bytes.HasPrefix(data, []byte(m.bytes)) {
			return m.container
		}
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
		return Text // its blocks come in any order; the reader names a key that is none
	}
	return Unknown
}

// Parse reads a module from data, which it does not keep. The error is a [*ContainerError] if the container
// is none it can read, otherwise the container's own: [*ParseError] for text cubins.
func Parse(data []byte) (*Image, error) {
	container := Sniff(data)
	if container == Text {
		return parseText(data)
	}
	return nil, &ContainerError{container, bytes.Clone(data[:min(len(data), 8)])}
}
