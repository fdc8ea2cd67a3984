package trace

import (
	"encoding/binary"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// part is a piece of what a block did: all of it, or as much as fills a frame. It is complete in
// itself, and frames are made of parts.
type part struct {
	partHeader
	data  []byte // control bytes, then values
	words []byte
}

// partHeader says what a part holds.
type partHeader struct {
	block     uint32
	mixed     bool
	warps     branch.WarpSet
	first     uint64 // time of the first issue
	issues    uint32
	count     uint32 // warp-instructions
	control   uint32 // bytes
	values    uint32 // bytes
	wordBytes uint32 // of values that are not compressed
}

// add counts issues.
func (h *partHeader) add(warps branch.WarpSet, issues, count int) {
	h.warps |= warps
	h.issues += uint32(issues)
	h.count += uint32(count)
}

// appendTo writes the part behind others of a frame, and its words behind theirs.
func (p *part) appendTo(b, words []byte) (_, _ []byte) {
	var head [7 * binary.MaxVarintLen64]byte
	h := binary.AppendUvarint(head[:0], uint64(p.block))
	h = binary.AppendUvarint(h, uint64(p.warps))
	h = binary.AppendUvarint(h, p.first)
	h = binary.AppendUvarint(h, uint64(p.issues))
	h = binary.AppendUvarint(h, uint64(p.control))
	h = binary.AppendUvarint(h, uint64(p.values))
	h = binary.AppendUvarint(h, uint64(p.wordBytes))
	return append(append(b, h...), p.data...), append(words, p.words...)
}

// part reads the next part of a frame, but for its words. It need not be copied; count is not known.
func (c *cursor) part() (p part) {
	p.block = uint32(c.uvarint(32))
	p.warps = branch.WarpSet(c.uvarint(lane.MaxWarps))
	p.first = c.uvarint(64)
	p.issues = uint32(c.uvarint(32))
	p.control = uint32(c.uvarint(29))
	p.values = uint32(c.uvarint(29))
	p.wordBytes = uint32(c.uvarint(29))
	n := int(p.control + p.values)
	if n > len(c.data)-c.at {
		c.fail("it ends inside a part")
		return p
	}
	p.data = c.data[c.at : c.at+n]
	c.at += n
	return p
}
