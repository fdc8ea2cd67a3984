package trace

import (
	"encoding/binary"
	"hash/crc32"

	"jacquard/simt/branch"
)

// Version is the version of the format that this package writes, and the only one that it reads.
const Version = 4

// magic starts every file. It holds the line ends that transfers as text would change.
const magic = "\x89JQT\r\n\x1a\n"

const (
	fileHeaderSize = 16
	frameMark      = 0x4654514a // "JQTF"
	headerSize     = 64
)

// kind says what the payload of a frame is.
type kind uint8

const (
	kindKernel kind = iota + 1
	kindLaunch
	kindSteps
	kindEnd
	kindIndex
	kindTail
)

// Flags of a frame.
const (
	flagMixed = 1 << iota // an issue is one warp-instruction whatever the warps
	flagsKnown
)

// header stands before the payload of a frame; docs/trace-format.md says what its fields mean.
type header struct {
	kind   kind
	flags  uint8
	stored uint32 // bytes of the payload in the file
	words  uint32 // the first of them, which are not compressed
	raw    uint32 // bytes of the others after decompression
	sum    uint32 // CRC-32C of the stored bytes
	launch uint32 // of a kernel frame: the kernel's number
	block  uint32 // the least of which there are issues
	blocks uint32 // how much more the greatest is
	warps  branch.WarpSet
	first  uint64 // least time of an issue; of a tail: where its index begins; of an index: where the one before does
	count  uint32 // warp-instructions
}

func sum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// put writes the header to b, which has room for it.
func (h *header) put(b []byte) {
	le := binary.LittleEndian
	le.PutUint32(b, frameMark)
	b[4], b[5], b[6], b[7] = uint8(h.kind), h.flags, 0, 0
	le.PutUint32(b[8:], h.stored)
	le.PutUint32(b[12:], h.raw)
	le.PutUint32(b[16:], h.sum)
	le.PutUint32(b[20:], h.launch)
	le.PutUint32(b[24:], h.block)
	le.PutUint16(b[28:], uint16(h.warps))
	le.PutUint16(b[30:], 0)
	le.PutUint64(b[32:], h.first)
	le.PutUint32(b[40:], h.words)
	le.PutUint64(b[44:], 0)
	le.PutUint32(b[52:], h.count)
	le.PutUint32(b[56:], h.blocks)
	le.PutUint32(b[60:], sum(b[:60]))
}

// get reads the header in b. It reports what is wrong with it, "" if nothing is.
func (h *header) get(b []byte) string {
	le := binary.LittleEndian
	if le.Uint32(b) != frameMark {
		return "no frame begins here"
	}
	if le.Uint32(b[60:]) != sum(b[:60]) {
		return "the checksum of a frame's header is wrong"
	}
	*h = header{
		kind: kind(b[4]), flags: b[5], stored: le.Uint32(b[8:]), raw: le.Uint32(b[12:]), sum: le.Uint32(b[16:]),
		launch: le.Uint32(b[20:]), block: le.Uint32(b[24:]), warps: branch.WarpSet(le.Uint16(b[28:])),
		first: le.Uint64(b[32:]), words: le.Uint32(b[40:]), count: le.Uint32(b[52:]),
		blocks: le.Uint32(b[56:]),
	}
	switch {
	case h.kind == 0 || h.kind > kindTail:
		return "a frame of an unknown kind"
	case h.flags >= flagsKnown:
		return "a frame with unknown flags"
	case h.block+h.blocks < h.block:
		return "a frame of more blocks than there can be"
	case h.first > mostTime && h.kind == kindSteps:
		return "a time that cannot be"
	}
	return h.checkSize()
}
