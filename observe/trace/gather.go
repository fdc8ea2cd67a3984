package trace

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"unsafe"

	"jacquard/observe/trace/codec"
)

// gatherer yields the parts of a launch in the order of block and time. It reads a frame of several
// blocks at the turn of the first block, and holds its parts until their turn. It reads a frame of
// one block at the block's turn.
//
// If the held parts exceed their room, the gatherer drops the parts of the last blocks. A second
// pass through the frames finds them again.
type gatherer struct {
	file     *File
	filter   *Filter
	work     *codec.Work
	frames   []frame // with selected blocks, by their lowest block
	ahead    []frame // rest of frames, not yet read
	held     []held  // by block, then in the order of the file
	size     int     // bytes of held
	from, to uint64  // blocks of this pass, to excluded
	shared   loaded  // the last frame of several blocks
	single   loaded  // the last frame of one block
}

// held is a part of a frame, or a whole unread frame of one block.
type held struct {
	codec.StoredPart
	frame *frame
	read  bool
}

// bytes returns the memory of the part while it is held.
func (p *held) bytes() int { return int(unsafe.Sizeof(*p)) + p.Size() }

// noBlock is greater than every block.
const noBlock = math.MaxUint64

// parts yields the parts of the selected blocks of a launch. A part is valid until the next.
func (f *File) parts(l *Launch, filter *Filter, w *codec.Work) iter.Seq2[*held, error] {
	return func(yield func(*held, error) bool) {
		g := gatherer{file: f, filter: filter, work: w, to: noBlock}
		warps := filter.warps()
		for _, fr := range l.frames {
			if fr.Warps&warps != 0 && filter.blocks(fr.Block, fr.Block+fr.Blocks) {
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
func (g *gatherer) next() (*held, error) {
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
		g.held[0] = held{}
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

// gather reads frames until no later frame can have parts of the current block.
func (g *gatherer) gather() error {
	least, known := uint32(math.MaxUint32), len(g.held)
	if known > 0 {
		least = g.held[0].Block
	}
	for len(g.ahead) > 0 && uint64(g.ahead[0].Block) < g.to &&
		(g.ahead[0].Block <= least || len(g.held) == 0) {
		fr := &g.ahead[0]
		g.ahead = g.ahead[1:]
		n := len(g.held)
		switch {
		case uint64(fr.Block)+uint64(fr.Blocks) < g.from:
		case fr.Blocks == 0:
			g.held = append(g.held, held{frame: fr})
			g.held[n].Block = fr.Block
		default:
			var err error
			if g.held, err = g.take(g.held, fr, &g.shared); err != nil {
				return err
			}
		}
		g.hold(g.held[n:])
		for i := n; i < len(g.held); i++ {
			least = min(least, g.held[i].Block)
		}
		if g.size > g.file.mostHeld {
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

// hold counts parts that are now held.
func (g *gatherer) hold(list []held) {
	for i := range list {
		g.size += list[i].bytes()
	}
}

func (g *gatherer) sort() {
	slices.SortStableFunc(g.held, func(a, b held) int {
		return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.frame.offset, b.frame.offset))
	})
}

// drop drops the parts of the last blocks until half of the room is free.
func (g *gatherer) drop() error {
	n := len(g.held)
	for g.size > g.file.mostHeld/2 {
		last := g.held[n-1].Block
		if last == g.held[0].Block {
			if g.size <= g.file.mostHeld {
				break
			}
			why := fmt.Sprintf("more than the %d bytes of parts of block %d that can be held", g.file.mostHeld, last)
			return &FormatError{g.held[0].frame.offset, why}
		}
		for ; g.held[n-1].Block == last; n-- {
			g.size -= g.held[n-1].bytes()
		}
		g.to = uint64(last)
	}
	clear(g.held[n:])
	g.held = g.held[:n]
	return nil
}

// take reads a frame and appends to list its parts of the selected blocks of this pass. The parts
// of a one-block frame are valid until the next such frame is read.
func (g *gatherer) take(list []held, fr *frame, l *loaded) ([]held, error) {
	if !g.work.Do(fr.Cost()) {
		return nil, &LimitError{g.file.MostWork}
	}
	if err := g.file.load(fr, l); err != nil {
		return nil, err
	}
	why := fr.Parts(l.data, l.words, func(p codec.StoredPart) {
		if b := uint64(p.Block); b >= g.from && b < g.to && in(g.filter.Blocks, b) {
			if fr.Blocks > 0 {
				p.Own()
			}
			list = append(list, held{p, fr, true})
		}
	})
	if why != "" {
		return nil, &FormatError{fr.offset, why}
	}
	return list, nil
}
