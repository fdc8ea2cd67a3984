package trace

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// gatherer goes through the parts of a launch in the order of block and time. A frame of several
// blocks is read when the first of them has its turn and held until the last had; one of a single
// block is read when it has.
type gatherer struct {
	file   *File
	filter *Filter
	ahead  []frame // not yet looked at, by their least block
	held   []found // by block, then as they come in the file
	single load    // the frame of a single block that was read last
}

// found is a part of a frame, or all of a frame that is not read yet.
type found struct {
	part
	words []byte
	frame *frame
	read  bool
}

// parts goes through the parts of a launch of blocks that a filter means. What it yields is valid until
// the next.
func (f *File) parts(l *Launch, filter *Filter) iter.Seq2[*found, error] {
	return func(yield func(*found, error) bool) {
		g := gatherer{file: f, filter: filter}
		warps := filter.warps()
		for _, fr := range l.frames {
			if fr.warps&warps != 0 && filter.blocks(fr.block, fr.block+fr.blocks) {
				g.ahead = append(g.ahead, fr)
			}
		}
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
			return nil, nil
		}
		p := &g.held[0]
		g.held = g.held[1:]
		if p.read {
			return p, nil
		}
		if err := g.file.load(p.frame, &g.single); err != nil {
			return nil, err
		}
		parts, err := g.take(nil, p.frame, &g.single)
		if err != nil {
			return nil, err
		}
		g.held = slices.Insert(g.held, 0, parts...)
	}
}

// gather takes up frames until none that is ahead can have parts of the block whose turn it is.
func (g *gatherer) gather() error {
	least, known := uint32(math.MaxUint32), len(g.held)
	if known > 0 {
		least = g.held[0].block
	}
	for len(g.ahead) > 0 && (g.ahead[0].block <= least || len(g.held) == 0) {
		fr := &g.ahead[0]
		g.ahead = g.ahead[1:]
		if fr.blocks == 0 {
			g.held = append(g.held, found{part: part{partHeader: partHeader{block: fr.block}}, frame: fr})
			least = fr.block
			continue
		}
		var in load
		err := g.file.load(fr, &in)
		if err == nil {
			g.held, err = g.take(g.held, fr, &in)
		}
		if err != nil {
			return err
		}
		for i := known; i < len(g.held); i++ {
			least = min(least, g.held[i].block)
		}
	}
	if len(g.held) > known {
		slices.SortStableFunc(g.held, func(a, b found) int {
			return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.frame.offset, b.frame.offset))
		})
	}
	return nil
}

// take appends to list the parts of a frame that the filter means.
func (g *gatherer) take(list []found, fr *frame, from *load) ([]found, error) {
	c := cursor{data: from.data}
	count, words := uint64(0), from.words
	for c.at < len(c.data) && c.why == "" {
		p := c.part()
		if int(p.wordBytes) > len(words) {
			c.fail("words that are not there")
			break
		}
		own := words[:p.wordBytes]
		words = words[p.wordBytes:]
		p.mixed = fr.flags&flagMixed != 0
		count += uint64(p.count)
		if p.block-fr.block > fr.blocks {
			c.fail("a block that its frame does not name")
		}
		if in(g.filter.Blocks, uint64(p.block)) {
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
