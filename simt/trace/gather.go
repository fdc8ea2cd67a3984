package trace

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"unsafe"
)

// gatherer goes through the parts of a launch in the order of block and time. A frame of several
// blocks is read when the first of them has its turn, and its parts are held until they have
// theirs; one of a single block is read when it has.
//
// If more parts would have to be held than there is room for, those of the last blocks are dropped,
// and the frames are gone through once more for the blocks from there on.
type gatherer struct {
	file   *File
	filter *Filter
	work   *work
	frames []frame // that the filter means, by their least block
	ahead  []frame // of them: not yet looked at
	held   []found // by block, then as they come in the file
	size   int     // bytes of what is held
	from   uint64  // the blocks that frames are gone through for: from ..
	to     uint64  // .. up to this one, without it
	shared load    // the frame of several blocks that was read last
	single load    // and that of a single one
}

// found is a part of a frame, or all of a frame that is not read yet.
type found struct {
	part
	words []byte
	frame *frame
	read  bool
}

// bytes returns how many the part takes while it is held.
func (p *found) bytes() int { return int(unsafe.Sizeof(*p)) + len(p.data) + len(p.words) }

// noBlock is behind the last block.
const noBlock = math.MaxUint64

// parts goes through the parts of a launch of blocks that a filter means. What it yields is valid until
// the next.
func (f *File) parts(l *Launch, filter *Filter, w *work) iter.Seq2[*found, error] {
	return func(yield func(*found, error) bool) {
		g := gatherer{file: f, filter: filter, work: w, to: noBlock}
		warps := filter.warps()
		for _, fr := range l.frames {
			if fr.warps&warps != 0 && filter.blocks(fr.block, fr.block+fr.blocks) {
				g.frames = append(g.frames, fr)
			}
		}
		g.ahead = g.frames
		for {
			p, err := g.next()
			if p == nil && err == nil || !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// next returns the next part, nil at the end.
func (g *gatherer) next() (*found, error) {
	for {
		if err := g.gather(); err != nil {
			return nil, err
		}
		if len(g.held) == 0 {
			if g.to == noBlock {
				return nil, nil
			}
			g.from, g.to, g.ahead = g.to, noBlock, g.frames
			continue
		}
		p := g.held[0]
		g.held[0] = found{}
		g.held = g.held[1:]
		g.size -= p.bytes()
		if p.read {
			return &p, nil
		}
		parts, err := g.take(nil, p.frame, &g.single)
		if err != nil {
			return nil, err
		}
		g.hold(parts)
		g.held = slices.Insert(g.held, 0, parts...)
	}
}

// gather takes up frames until none that is ahead can have parts of the block whose turn it is.
func (g *gatherer) gather() error {
	least, known := uint32(math.MaxUint32), len(g.held)
	if known > 0 {
		least = g.held[0].block
	}
	for len(g.ahead) > 0 && uint64(g.ahead[0].block) < g.to && (g.ahead[0].block <= least || len(g.held) == 0) {
		fr := &g.ahead[0]
		g.ahead = g.ahead[1:]
		n := len(g.held)
		switch {
		case uint64(fr.block)+uint64(fr.blocks) < g.from:
		case fr.blocks == 0:
			g.held = append(g.held, found{part: part{partHeader: partHeader{block: fr.block}}, frame: fr})
		default:
			var err error
			if g.held, err = g.take(g.held, fr, &g.shared); err != nil {
				return err
			}
		}
		g.hold(g.held[n:])
		for i := n; i < len(g.held); i++ {
			least = min(least, g.held[i].block)
		}
		if g.size > g.file.held {
			g.sort()
			if err := g.drop(); err != nil {
				return err
			}
		}
	}
	if len(g.held) > known {
		g.sort()
	}
	return nil
}

// hold counts what is held from now on.
func (g *gatherer) hold(list []found) {
	for i := range list {
		g.size += list[i].bytes()
	}
}

func (g *gatherer) sort() {
	slices.SortStableFunc(g.held, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.frame.offset, b.frame.offset))
	})
}

// drop drops the parts of the last blocks, until half of the room is free.
func (g *gatherer) drop() error {
	n := len(g.held)
	for g.size > g.file.held/2 {
		last := g.held[n-1].block
		if last == g.held[0].block {
			if g.size <= g.file.held {
				break
			}
			return &FormatError{g.held[0].frame.offset, fmt.Sprintf("more than the %d bytes of parts of block %d that can be held", g.file.held, last)}
		}
		for ; g.held[n-1].block == last; n-- {
			g.size -= g.held[n-1].bytes()
		}
		g.to = uint64(last)
	}
	clear(g.held[n:])
	g.held = g.held[:n]
	return nil
}

// take reads a frame, and appends to list its parts of the blocks that the filter means and whose
// turn it is. Those of a frame of a single block are valid until the next such frame is read.
func (g *gatherer) take(list []found, fr *frame, l *load) ([]found, error) {
	if !g.work.do(fr.cost()) {
		return nil, &LimitError{g.work.most}
	}
	if err := g.file.load(fr, l); err != nil {
		return nil, err
	}
	c := cursor{data: l.data}
	count, words := uint64(0), l.words
	for n := 0; c.at < len(c.data) && c.why == ""; n++ {
		p := c.part()
		if int(p.wordBytes) > len(words) {
			c.fail("words that are not there")
			break
		}
		own := words[:p.wordBytes]
		words = words[p.wordBytes:]
		p.mixed = fr.flags&flagMixed != 0
		count += uint64(p.count)
		switch {
		case p.block-fr.block > fr.blocks:
			c.fail("a block that its frame does not name")
		case p.warps&^fr.warps != 0:
			c.fail("a warp that its frame does not name")
		case n == mostParts:
			c.fail("more parts than a frame has")
		}
		if b := uint64(p.block); b >= g.from && b < g.to && in(g.filter.Blocks, b) {
			if fr.blocks > 0 {
				p.data, own = bytes.Clone(p.data), bytes.Clone(own)
			}
			list = append(list, found{p, own, fr, true})
		}
	}
	if c.why == "" && (count != uint64(fr.count) || len(words) > 0) {
		c.why = "a frame with more than it says"
	}
	if c.why != "" {
		return nil, &FormatError{fr.offset, c.why}
	}
	return list, nil
}
