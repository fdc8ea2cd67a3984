package simt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// glimpse keeps the state that an observer sees at every issue of warp 1.
type glimpse struct {
	masks     []lane.Mask
	r1        []uint32 // of lane 2
	condition []lane.Mask
	addresses map[uint32]lane.Row
	executed  map[uint32]lane.Mask
}

func (g *glimpse) Block(b *simt.Block) simt.BlockObserver {
	g.masks = b.Lanes()
	return g
}

func (g *glimpse) Issue(i *simt.Issue) {
	for w := range i.Warps() {
		if w.Warp != 1 {
			continue
		}
		g.r1 = append(g.r1, i.Block.Register(1, 1)[2])
		g.condition = append(g.condition, i.Block.Condition(0, 1).Z)
		g.executed[i.PC] = w.Executed
		if w.Addresses != nil {
			g.addresses[i.PC] = *w.Addresses
		}
	}
}

func (g *glimpse) End() {}

// An observer sees registers after the issue, and addresses from before it, even if the load overwrote
// them.
func TestObserverSeesState(t *testing.T) {
	space := mem.NewSpace(1 << 20)
	buf, err := space.Alloc(64 * 4)
	require.NoError(t, err)
	m := machine{
		arch: tesla.SM13, registers: 4, shared: 20, params: []uint32{buf}, space: space, block: [3]int{36, 1, 1},
		words: code(
			[]uint32{0x30020005, 0xc4100780}, // 0: shl b32 $r1 $r0 0x2
			[]uint32{0x2000c805, 0x04204780}, // 8: add b32 $r1 b32 s[0x10] $r1
			[]uint32{0x300001fd, 0x6c0107c8}, // 0x10: set $c0 # g s32 $r0 $r0: zero
			[]uint32{0xd00e0205, 0x80c00780}, // 0x18: ld b32 $r1 g14[$r1]
			[]uint32{exitNop0, exitNop1},
		),
	}
	l := m.launch(t)
	g := &glimpse{addresses: map[uint32]lane.Row{}, executed: map[uint32]lane.Mask{}}
	l.Observer = g
	_, err = simt.Run(l)
	require.NoError(t, err)
	require.Equal(t, []lane.Mask{lane.All, 0xf}, g.masks)
	const thread = 32 + 2
	require.Equal(t, []uint32{4 * thread, buf + 4*thread, buf + 4*thread, 0, 0}, g.r1)
	require.Equal(t, lane.Mask(0xf), g.condition[2]&0xf)
	require.Len(t, g.addresses, 1)
	require.Equal(t, buf+4*thread, g.addresses[0x18][2])
	require.Equal(t, lane.Mask(0xf), g.executed[0x18])
}
