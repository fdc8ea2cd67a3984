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
	data []byte // control bytes, then values
}

// partHeader says what a part holds.
type partHeader struct {
	block   uint32
	mixed   bool
	warps   branch.WarpSet
	first   uint64 // time of the first issue
	last    uint64
	issues  uint32
	count   uint32 // warp-instructions
	control uint32 // bytes
}

// add counts issues of which the last is at a time.
func (h *partHeader) add(warps branch.WarpSet, last uint64, issues, count int) {
	h.warps |= warps
	h.last = last
	h.issues += uint32(issues)
	h.count += uint32(count)
}

// appendTo writes the part behind others of a frame.
func (p *part) appendTo(b []byte) []byte {
	var head [6 * binary.MaxVarintLen64]byte
	h := binary.AppendUvarint(head[:0], uint64(p.block))
	h = binary.AppendUvarint(h, uint64(p.warps))
	h = binary.AppendUvarint(h, p.first)
	h = binary.AppendUvarint(h, uint64(p.issues))
	h = binary.AppendUvarint(h, uint64(p.control))
	h = binary.AppendUvarint(h, uint64(len(p.data))-uint64(p.control))
	return append(append(b, h...), p.data...)
}

// part reads the next part of a frame. It need not be copied; count and last are not known.
func (c *cursor) part() (p part) {
	p.block = uint32(c.uvarint(32))
	p.warps = branch.WarpSet(c.uvarint(lane.MaxWarps))
	p.first = c.uvarint(64)
	p.issues = uint32(c.uvarint(32))
	p.control = uint32(c.uvarint(29))
	n := c.uvarint(29) + uint64(p.control)
	if n > uint64(len(c.data)-c.at) {
		c.fail("it ends inside a part")
		return p
	}
	p.data = c.data[c.at : c.at+int(n)]
	c.at += int(n)
	return p
}
