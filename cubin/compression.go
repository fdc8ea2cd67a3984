package cubin

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"

	"jacquard/tesla"
)

// Compression is how an entry of a fat binary is stored.
type Compression uint8

const (
	Stored Compression = iota
	Zlib               // a zlib stream (CUDA 5.x)
	LZ4                // one raw LZ4 block (later tools)
	Other              // known only to tools without support for sm_1x
)

var compressionNames = [...]string{Stored: "stored", Zlib: "zlib", LZ4: "LZ4", Other: "unknown compression"}

// String returns a name for messages.
func (c Compression) String() string { return tesla.NameOf(compressionNames[:], "Compression", c) }

// CompressionError says that the compressed data of an entry is broken.
type CompressionError struct {
	Compression Compression
	Problem     string
}

// Error names the compression and the mistake.
func (e *CompressionError) Error() string {
	return fmt.Sprintf("fat binary, %s: %s", e.Compression, e.Problem)
}

// Bounds on the ratio of a stream's decompressed length to its length.
const (
	zlibGrowth = 1032
	lz4Growth  = 255
)

// expand returns data decompressed to size bytes. Padding after the stream is ignored.
func (c Compression) expand(data []byte, size uint64) ([]byte, error) {
	if c == Stored {
		return data, nil
	}
	if size > maxImage {
		return nil, &CompressionError{c, fmt.Sprintf("%d bytes are more than an image can have", size)}
	}
	tooFew := &CompressionError{c, fmt.Sprintf("%d bytes cannot hold %d", len(data), size)}
	switch c {
	case Zlib:
		if size/zlibGrowth > uint64(len(data)) {
			return nil, tooFew
		}
		out := make([]byte, size)
		r, err := zlib.NewReader(bytes.NewReader(data))
		if err == nil {
			_, err = io.ReadFull(r, out)
		}
		if err == nil {
			if n, _ := r.Read(make([]byte, 1)); n > 0 {
				err = fmt.Errorf("more than the %d bytes that were announced", size)
			}
		}
		if err != nil {
			return nil, &CompressionError{c, err.Error()}
		}
		return out, nil
	case LZ4:
		if size/lz4Growth > uint64(len(data)) {
			return nil, tooFew
		}
		return lz4(data, int(size))
	}
	return nil, &CompressionError{c, "no tool that compiled for sm_1x wrote it"}
}

// lz4 decodes a raw LZ4 block of size bytes. A sequence is a token (high nibble: literal count, low
// nibble: match length minus 4), literals, a 16-bit distance and a match. After a nibble of 15,
// bytes add to the count, up to the first that is not 255. The last sequence has literals only.
func lz4(in []byte, size int) ([]byte, error) {
	broken := func(problem string) ([]byte, error) { return nil, &CompressionError{LZ4, problem} }
	length := func(n int) (int, bool) {
		if n < 15 {
			return n, true
		}
		for len(in) > 0 {
			b := in[0]
			in = in[1:]
			if n += int(b); b < 255 {
				return n, true
			}
		}
		return 0, false
	}
	out := make([]byte, 0, size)
	for len(in) > 0 && len(out) < size {
		token := in[0]
		in = in[1:]
		literals, ok := length(int(token >> 4))
		if !ok || literals > len(in) {
			return broken("literals beyond the end")
		}
		if literals > size-len(out) {
			return broken("more than the bytes that were announced")
		}
		out = append(out, in[:literals]...)
		if in = in[literals:]; len(in) < 2 || len(out) == size {
			break
		}
		distance := int(in[0]) | int(in[1])<<8
		in = in[2:]
		match, ok := length(int(token & 15))
		match += 4
		switch {
		case !ok:
			return broken("match beyond the end")
		case distance == 0 || distance > len(out):
			return broken("match before the start")
		case match > size-len(out):
			return broken("more than the bytes that were announced")
		}
		for range match { // one at a time: a match may overlap its own copy
			out = append(out, out[len(out)-distance])
		}
	}
	if len(out) < size {
		return broken("fewer than the bytes that were announced")
	}
	return out, nil
}
