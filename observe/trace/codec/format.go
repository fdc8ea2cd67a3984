package codec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/klauspost/compress/zstd"

	"jacquard/simt/branch"
)

// Version is the version of the format that this package writes and reads.
const Version = 4

// magic starts every file. It holds the line ends that a transfer as text would change.
const magic = "\x89JQT\r\n\x1a\n"

// Sniff reports whether data is the beginning of a trace.
func Sniff(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }

// Sizes of the headers, in bytes.
const (
	FileHeaderSize = 16
	HeaderSize     = 64
)

const frameMark = 0x4654514a // "JQTF"

// FileHeader returns the first bytes of a file. marked says that a tail with the count 1 ends it;
// files of earlier versions have none.
func FileHeader(marked bool) []byte {
	b := append(make([]byte, 0, FileHeaderSize), magic...)
	b = binary.LittleEndian.AppendUint32(b, Version)
	if marked {
		return append(b, 1, 0, 0, 0)
	}
	return append(b, 0, 0, 0, 0)
}

// Marked reports whether a tail with the count 1 ends the file that begins with b.
func Marked(b []byte) bool { return b[12]&1 != 0 }

// CheckFile checks the start of a file. It returns the defect and its offset; why is "" if there is
// none.
func CheckFile(b []byte) (offset int64, why string) {
	switch v := binary.LittleEndian.Uint32(b[8:]); {
	case string(b[:8]) != magic:
		return 0, "this is no trace"
	case v != Version:
		return 8, fmt.Sprintf("the format's version is %d: want %d", v, Version)
	}
	return 0, ""
}

// Kind is the kind of a frame's payload.
type Kind uint8

const (
	KernelFrame Kind = iota + 1
	LaunchFrame
	IssuesFrame
	EndFrame
	IndexFrame
	TailFrame
)

// Flags of a frame.
const (
	FlagMixed  = 1 << iota // an issue is one warp-instruction for all its warps together
	FlagStates             // parts have the policy's states
	flagsKnown
)

// Header precedes the payload of a frame; docs/trace-format.md defines its fields.
type Header struct {
	Kind   Kind
	Flags  uint8
	Stored uint32 // bytes of the payload in the file
	Words  uint32 // bytes at the start of the payload that are not compressed
	Raw    uint32 // bytes of the rest after decompression
	Sum    uint32 // CRC-32C of the stored bytes
	Launch uint32 // of a kernel frame: the kernel's number
	Block  uint32 // the lowest block with issues
	Blocks uint32 // the highest block with issues, minus Block
	Warps  branch.WarpSet
	// First is a lower bound on the times of issues. In a tail and an index it is the offset of the
	// last index.
	First uint64
	Count uint32 // warp-instructions; of a tail 1 if the run came to its end, else 0
}

// Sum is the checksum of the format.
func Sum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// Frame compresses payload and appends it to b, which holds room for the header and then the words
// that stay uncompressed. It fills in the header and returns the frame.
func (h *Header) Frame(z *zstd.Encoder, payload, b []byte) []byte {
	h.Words = uint32(len(b) - HeaderSize)
	if len(payload) > 0 { // zstd writes bytes even for empty input
		b = z.EncodeAll(payload, b)
	}
	h.Raw, h.Stored = uint32(len(payload)), uint32(len(b)-HeaderSize)
	h.Sum = Sum(b[HeaderSize:])
	h.put(b)
	return b
}

func (h *Header) put(b []byte) {
	le := binary.LittleEndian
	le.PutUint32(b, frameMark)
	b[4], b[5], b[6], b[7] = uint8(h.Kind), h.Flags, 0, 0
	le.PutUint32(b[8:], h.Stored)
	le.PutUint32(b[12:], h.Raw)
	le.PutUint32(b[16:], h.Sum)
	le.PutUint32(b[20:], h.Launch)
	le.PutUint32(b[24:], h.Block)
	le.PutUint16(b[28:], uint16(h.Warps))
	le.PutUint16(b[30:], 0)
	le.PutUint64(b[32:], h.First)
	le.PutUint32(b[40:], h.Words)
	le.PutUint64(b[44:], 0)
	le.PutUint32(b[52:], h.Count)
	le.PutUint32(b[56:], h.Blocks)
	le.PutUint32(b[60:], Sum(b[:60]))
}

// Parse reads the header in b. It returns the defect, "" if there is none.
func (h *Header) Parse(b []byte) (why string) {
	le := binary.LittleEndian
	if le.Uint32(b) != frameMark {
		return "no frame begins here"
	}
	if le.Uint32(b[60:]) != Sum(b[:60]) {
		return "the checksum of a frame's header is wrong"
	}
	*h = Header{
		Kind: Kind(b[4]), Flags: b[5],
		Stored: le.Uint32(b[8:]), Raw: le.Uint32(b[12:]), Sum: le.Uint32(b[16:]),
		Launch: le.Uint32(b[20:]), Block: le.Uint32(b[24:]),
		Warps: branch.WarpSet(le.Uint16(b[28:])), First: le.Uint64(b[32:]),
		Words: le.Uint32(b[40:]), Count: le.Uint32(b[52:]), Blocks: le.Uint32(b[56:]),
	}
	words, raw := h.Kind.most()
	compressed := uint64(h.Stored) - uint64(h.Words) // zstd adds a little to incompressible data
	switch {
	case h.Kind == 0 || h.Kind > TailFrame:
		return "a frame of an unknown kind"
	case h.Flags >= flagsKnown:
		return "a frame with unknown flags"
	case h.Block+h.Blocks < h.Block:
		return "a frame of more blocks than there can be"
	case h.First > mostTime && h.Kind == IssuesFrame:
		return "a time that cannot be"
	case h.Words > h.Stored || h.Words > words || h.Raw > raw ||
		compressed > uint64(h.Raw)+uint64(h.Raw)/64+64:
		return fmt.Sprintf("a frame of %d bytes, of which %d are words and the rest becomes %d: larger than any", h.Stored, h.Words, h.Raw)
	}
	return ""
}

// Parts reads the parts of a frame of issues from its payload. The parts share its bytes. It
// returns the defect, "" if there is none.
func (h *Header) Parts(payload, words []byte, yield func(StoredPart)) (why string) {
	c := cursor{data: payload}
	count := uint64(0)
	for n := 0; c.at < len(c.data) && c.why == ""; n++ {
		p := c.part()
		if int(p.WordBytes) > len(words) {
			c.fail("words that are not there")
			break
		}
		p.words, words = words[:p.WordBytes], words[p.WordBytes:]
		p.Mixed, p.States = h.Flags&FlagMixed != 0, h.Flags&FlagStates != 0
		count += uint64(p.Count)
		switch {
		case p.Block-h.Block > h.Blocks:
			c.fail("a block that its frame does not name")
		case p.Warps&^h.Warps != 0:
			c.fail("a warp that its frame does not name")
		case n == MostParts:
			c.fail("more parts than a frame has")
		}
		yield(p)
	}
	if c.why == "" && (count != uint64(h.Count) || len(words) > 0) {
		return "a frame with more than it says"
	}
	return c.why
}
