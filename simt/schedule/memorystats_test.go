package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt/count"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// accesses counts the cost of an issue's accesses to memory by the rules of package mem, from the
// issue's addresses and the address registers before it.
func (o *tallyBlock) accesses(i *watch.Issue) {
	in := i.Instruction
	u, _ := i.Block.Program().Index(i.PC)
	touches := i.Block.Program().Code[u].TouchesMemory()
	for k := range in.Src {
		if x := &in.Src[k]; touches && (k > 0 || !i.Accesses) && (x.Kind == tesla.Shared || x.Kind == tesla.Const && (x.Base != 0 || x.Post)) {
			o.access(i, x, x.Type, func(w watch.WarpIssue) (at lane.Row) {
				for l := range at {
					if x.Base != 0 {
						at[l] = o.addrs[x.Base][w.Warp][l]
					}
					if !x.Post {
						at[l] = (at[l] + x.Value) & 0xffff
					}
				}
				return at
			})
		}
	}
	if i.Accesses && in.Op != tesla.OpAtom && in.Op != tesla.OpRed {
		o.access(i, &in.Src[0], in.Type, func(w watch.WarpIssue) lane.Row { return *w.Addresses })
	}
	for k := range i.Active.N {
		w := int(i.Active.Warp[k])
		for a := uint8(1); a < 5; a++ {
			if i.Block.Program().Addresses>>a&1 != 0 {
				o.addrs[a][w] = i.Block.AddressRegister(a, w)
			}
		}
	}
}

// access counts one access to x: one per warp of an issue, or one for all warps of a mixed issue.
func (o *tallyBlock) access(i *watch.Issue, x *tesla.Operand, t tesla.Type, addresses func(w watch.WarpIssue) lane.Row) {
	c, size := &o.by[i.PC].Memory, mem.Size(t)
	count := func(at *lane.Row, m lane.Mask) {
		switch x.Kind {
		case tesla.Shared:
			c.Shared.Add(mem.SharedSteps(at, m, size))
		case tesla.Const:
			c.Const.CountConst(at, m)
		case tesla.Global:
			c.Device.Add(traffic(at, m, size))
		case tesla.Local: // word by word
			for k := 0; k < size; k += 4 {
				var words lane.Row
				for i, a := range at {
					words[i] = 32*((a+uint32(k))&^3) + 4*uint32(i) + a&3
				}
				c.Device.Add(traffic(&words, m, min(4, size)))
			}
		}
	}
	var together lane.Row
	var columns lane.Mask
	var displaced []uint32 // addresses of lanes whose column another warp has
	for w := range i.Warps() {
		if w.Vetoed || w.Executed == 0 {
			continue
		}
		at := addresses(w)
		if !i.Mixed {
			count(&at, w.Executed)
			continue
		}
		for m := w.Executed; m != 0; m &= m - 1 {
			if l := lowestLane(m); columns>>l&1 == 0 {
				together[l] = at[l]
				columns |= 1 << l
			} else {
				displaced = append(displaced, at[l])
			}
		}
	}
	for _, a := range displaced {
		l := lowestLane(^columns)
		together[l] = a
		columns |= 1 << l
	}
	count(&together, columns)
}

// traffic counts an access to device memory by the rules.
func traffic(at *lane.Row, m lane.Mask, size int) *mem.Traffic {
	return &mem.Traffic{Accesses: uint64(mem.HalfWarps(m)), G80: mem.Transactions10(at, m, size), GT200: mem.Transactions12(at, m, size)}
}

// pause describes how a warp may wait at a barrier.
type pause struct {
	at   *count.InstructionStats // the barrier of its lanes' last arrival, or nil
	next uint64                  // the round after its last issue
}

// arrives counts the rounds in which warps did not issue, and records the warps that arrive at a
// barrier.
func (o *tallyBlock) arrives(i *watch.Issue) {
	for w := range i.Warps() {
		last := &o.arrived[w.Warp]
		if wait := i.Time - last.next; wait > 0 && !i.Mixed {
			require.NotNil(o.t, last.at, "a warp pauses for barriers only")
			last.at.Waited += wait
		}
		last.next = i.Time + 1
		if i.Instruction.Op == tesla.OpBar && !w.Vetoed && w.Active != 0 {
			last.at = o.by[i.PC]
		}
	}
}

// Each half-warp that reads one word of shared memory takes one step, also in blocks of whole
// warps.
func TestOneWordOfShared(t *testing.T) {
	code := []uint32{
		0x1000c805, 0x0423c780, // mov b32 $r1 s[0x10]
		0xf0000001, 0xe0000001, // exit nop
	}
	p, err := lower(program.Kernel{Name: "word", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, code), Registers: 4, Shared: 20})
	require.NoError(t, err)
	for _, policy := range []string{"nvidia", "dwf"} {
		for threads, halves := range map[int]uint64{1: 1, 16: 1, 17: 2, 32: 2, 64: 4, 96: 6, 100: 7, 512: 32} {
			s, err := Run(&Launch{Program: p, Grid: [2]int{3, 1}, Block: [3]int{threads, 1, 1}, Params: make([]byte, 4), Global: mem.NewSpace(1 << 16), Policy: policy})
			require.NoError(t, err)
			require.Equal(t, mem.Steps{Accesses: 3 * halves, Single: 3 * halves, Steps: 3 * halves}, s.ByInstruction[0].Memory.Shared, "%d threads under %s", threads, policy)
		}
	}
}
