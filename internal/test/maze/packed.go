package maze

import (
	"fmt"
	"math/bits"
	"strings"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// checkPacked returns an error if warps that any lane may join, and that are formed after every issue,
// leave room: of the warps at one address, all but one are full. Other policies have no error.
func (m *Maze) checkPacked(policy string, alone *Outcome) error {
	if !strings.HasPrefix(policy, "dwf:") ||
		!strings.Contains(policy, "form=every") || !strings.Contains(policy, "lanes=free") {
		return nil
	}
	choice, err := branch.Find(policy)
	if err != nil {
		return err
	}
	p := &packing{width: choice.Warp}
	for _, ways := range alone.ways {
		b := &packedBlock{of: p, followers: make([]follower, m.warps()), waiting: make([]lane.Mask, m.warps())}
		for w := range b.followers {
			b.followers[w] = follower{m: m, ways: ways[w*lane.Width : min(len(ways), (w+1)*lane.Width)]}
		}
		p.blocks = append(p.blocks, b)
	}
	if _, err := m.Watch(policy, p); err != nil {
		return err
	}
	return p.wrong
}

// packing observes a launch.
type packing struct {
	width  int // lanes of a warp
	blocks []*packedBlock
	wrong  error // the first issue with room for lanes at its address
}

// packedBlock leads the threads of a block along their ways, as they issue.
type packedBlock struct {
	of        *packing
	followers []follower  // by home warp
	waiting   []lane.Mask // lanes at a barrier
}

// Block implements simt.Observer.
func (p *packing) Block(b *simt.Block) simt.BlockObserver { return p.blocks[b.Index()[0]] }

// End implements simt.BlockObserver.
func (*packedBlock) End() {}

// Issue implements simt.BlockObserver.
func (b *packedBlock) Issue(i *simt.Issue) {
	if b.of.wrong != nil {
		return
	}
	there, issued := 0, 0
	for w := range b.followers {
		f := &b.followers[w]
		there += bits.OnesCount32(uint32(f.those(f.live()&^b.waiting[w], i.PC)))
	}
	for w := range i.Warps() {
		issued += bits.OnesCount32(uint32(w.Active))
	}
	if issued != b.of.width && issued != there%b.of.width {
		b.of.wrong = fmt.Errorf("%d lanes issue at 0x%x, in warps of %d, and %d are there", issued, i.PC, b.of.width, there)
	}
	for w := range i.Warps() {
		b.lead(w.Warp, w.Active)
	}
	b.open()
}

// lead takes lanes of a home warp past the instruction that they issue.
func (b *packedBlock) lead(w int, lanes lane.Mask) {
	i, err := b.followers[w].issue(lanes)
	if err != nil {
		b.of.wrong = err
		return
	}
	if i.op == tesla.OpBar {
		b.waiting[w] |= lanes
	}
}

// open lets lanes go on once all of the block wait.
func (b *packedBlock) open() {
	for w := range b.followers {
		if b.followers[w].live() != b.waiting[w] {
			return
		}
	}
	clear(b.waiting)
}
