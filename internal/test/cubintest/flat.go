package cubintest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"

	"jacquard/cubin"
)

// Entry is an image to put into a fat binary.
type Entry struct {
	Container   cubin.Container // PTX, Text, ELF, or Unknown for an unknown kind
	Arch        int             // 13 for sm_13 or compute_13
	Source      string
	Compression cubin.Compression
	Data        []byte
}

// Versions of entries.
const (
	CUDA4 = 0x100 // 4.x
	CUDA5 = 0x101 // 5.0 and later: the only version with compression
)

// Flat returns the container of CUDA 4.0 and later.
func Flat(version int, entries ...Entry) []byte {
	var body []byte
	for _, e := range entries {
		body = append(body, e.flat(version)...)
	}
	le := binary.LittleEndian
	b := le.AppendUint16(le.AppendUint16(le.AppendUint32(nil, 0xba55ed50), 1), 16)
	return append(le.AppendUint64(b, uint64(len(body))), body...)
}

func (e *Entry) flat(version int) []byte {
	names := 0x38
	flags := uint64(0x15) // made on Linux, for CUDA, by a 64-bit compiler
	stored, compressed := e.Data, 0
	if version >= CUDA5 {
		names = 0x40
		switch e.Compression {
		case cubin.Zlib:
			stored, flags = deflate(e.Data), flags|0x1000
		case cubin.LZ4:
			stored, flags = packLZ4(e.Data), flags|0x2000
			compressed = len(stored)
		case cubin.Other:
			flags |= 0x8000
		}
		stored = append(bytes.Clone(stored), make([]byte, -len(stored)&7)...)
	}
	header := make([]byte, (names+len(e.Source)+7)&^7)
	le := binary.LittleEndian
	le.PutUint16(header, map[cubin.Container]uint16{cubin.PTX: 1, cubin.ELF: 2, cubin.Text: 4, cubin.Unknown: 64}[e.Container])
	le.PutUint16(header[2:], uint16(version))
	le.PutUint32(header[4:], uint32(len(header)))
	le.PutUint64(header[8:], uint64(len(stored)))
	le.PutUint32(header[16:], uint32(compressed))
	le.PutUint32(header[28:], uint32(e.Arch))
	if e.Source != "" {
		le.PutUint32(header[32:], uint32(names))
		le.PutUint32(header[36:], uint32(len(e.Source)))
	}
	le.PutUint64(header[40:], flags)
	if version >= CUDA5 && e.Compression != cubin.Stored {
		le.PutUint64(header[56:], uint64(len(e.Data)))
	}
	copy(header[names:], e.Source)
	return append(header, stored...)
}

func deflate(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data) // a bytes.Buffer never fails
	w.Close()
	return b.Bytes()
}

// packLZ4 returns data as an LZ4 block. It compresses runs of four or more equal bytes and nothing
// else.
func packLZ4(data []byte) []byte {
	var b, literals []byte
	length := func(n int) {
		for n -= 15; n >= 255; n -= 255 {
			b = append(b, 255)
		}
		b = append(b, byte(n))
	}
	sequence := func(match int) {
		token := byte(min(len(literals), 15)) << 4
		if match > 0 {
			token |= byte(min(match-4, 15))
		}
		b = append(b, token)
		if len(literals) >= 15 {
			length(len(literals))
		}
		b = append(b, literals...)
		literals = nil
		if match > 0 {
			b = append(b, 1, 0) // distance 1: the previous byte repeats
			if match-4 >= 15 {
				length(match - 4)
			}
		}
	}
	for len(data) > 0 {
		literals = append(literals, data[0])
		run := 1
		for run < len(data) && data[run] == data[0] {
			run++
		}
		data = data[1:]
		if run > 4 && run <= len(data) { // the last sequence has literals only
			sequence(run - 1)
			data = data[run-1:]
		}
	}
	sequence(0)
	return b
}
