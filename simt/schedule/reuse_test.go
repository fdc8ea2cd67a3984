package schedule

import (
	"encoding/binary"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// choosy is a recorder that wants some of the blocks that it is asked about.
type choosy struct {
	sync.Mutex
	asked map[int][]lane.Mask // by block: its lanes, by warp
	wants func(block int) bool
}

func (*choosy) Keeps() []bool             { return nil }
func (*choosy) States() bool              { return false }
func (*choosy) Fault(*machine.Fault, int) {}

func (c *choosy) Block(b *watch.Block) watch.BlockRecorder {
	c.Lock()
	defer c.Unlock()
	c.asked[b.Number()] = b.Lanes()
	if c.wants(b.Number()) {
		return ignoring{}
	}
	return nil
}

// ignoring records nothing.
type ignoring struct{}

func (ignoring) Run(int, []watch.Stretch) {}
func (ignoring) Keep(int, *watch.Values)  {}
func (ignoring) Reached(uint64)           {}
func (ignoring) End(*machine.Fault)       {}

// A recorder is asked of every block, also if it did not want an earlier block in the same storage.
func TestRecorderIsAskedOfEveryBlock(t *testing.T) {
	p := writtenProgram(t, func(w *kernelWriter) { w.arith(tesla.Add, 6, reg(6), imm(1)) })
	for _, p := range []*Program{p, hotOf(t, p)} {
		c := &choosy{asked: map[int][]lane.Mask{}, wants: func(block int) bool { return block == 5 }}
		_, err := Run(&Launch{
			Program: p, Grid: [2]int{10, 1}, Block: [3]int{64, 1, 1}, Global: mem.NewSpace(1 << 16),
			Params: make([]byte, 4), Workers: 1, Recorder: c,
		})
		require.NoError(t, err)
		require.Len(t, c.asked, 10)
	}
}

// Workers keep blocks for later launches. They drop the launch and its shape, even blocks that were
// left over and ended when a worker had nothing left to do.
func TestIdleBlocksDropTheLaunch(t *testing.T) {
	p := writtenProgram(t, func(w *kernelWriter) {
		w.only(3, func() { w.loop(firstLook / 3) })
		w.only(5, func() { w.loop(firstLook / 3) })
	})
	for range 20 {
		for _, threads := range []int{64, 33} {
			want := []lane.Mask{lane.All, lane.All >> (64 - threads)}
			c := &choosy{asked: map[int][]lane.Mask{}, wants: func(int) bool { return true }}
			l := &Launch{
				Program: p, Grid: [2]int{8, 1}, Block: [3]int{threads, 1, 1}, Global: mem.NewSpace(1 << 16),
				Params: make([]byte, 4), Workers: 2, Pool: &Pool{all: true}, Recorder: c,
			}
			g, err := newGrid(l)
			require.NoError(t, err)
			require.Nil(t, g.run())
			for block, lanes := range c.asked {
				require.Equal(t, want, lanes, "block %d", block)
			}
			g.stats()
			workers := slices.Clone(g.workers)
			g.release()
			for _, w := range workers {
				for _, b := range w.idle {
					require.Nil(t, b.g)
				}
			}
		}
	}
}

// A launch finds its own parameters, constants and thread ids where an earlier launch had others.
func TestLaunchesReuseNoValues(t *testing.T) {
	const bank = 1
	p := writtenProgram(t, func(w *kernelWriter) { // adds $r0 and c1[0] of all threads
		w.arith(tesla.Add, 4, reg(0), tesla.Operand{Kind: tesla.Const, Type: tesla.B32, Index: bank})
		w.emit(tesla.Instruction{Op: tesla.OpRed, Type: tesla.U32, Atom: tesla.AtomAdd, Src: [3]tesla.Operand{at(3), reg(4)}})
	})
	space := mem.NewSpace(1 << 16)
	for _, constant := range []uint32{7, 0, 100} {
		for _, shape := range [][3]int{{8, 1, 1}, {2, 2, 2}, {40, 1, 1}, {8, 1, 1}} {
			var want uint32
			for x := range shape[0] {
				for y := range shape[1] {
					for z := range shape[2] {
						want += constant + uint32(x|y<<16|z<<26)
					}
				}
			}
			addr, err := space.Alloc(32)
			require.NoError(t, err)
			l := &Launch{Program: p, Grid: [2]int{1, 1}, Block: shape, Global: space, Params: binary.LittleEndian.AppendUint32(nil, addr)}
			l.Const[bank] = binary.LittleEndian.AppendUint32(nil, constant)
			_, err = Run(l)
			require.NoError(t, err)
			require.Equal(t, want, binary.LittleEndian.Uint32(space.Reach(addr)), "constant %d, block %v", constant, shape)
		}
	}
}
