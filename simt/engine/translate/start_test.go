package translate_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/engine/reference"
	"jacquard/simt/engine/translate"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// sums is the loop of PolyBench's mvt: every warp adds up the same numbers and stores each sum.
const sums = `
	mov b32 $r1 $r0
	and b32 $r1 $r1 0x1f
	shl b32 $r1 $r1 0x2
	add b32 $r1 b32 s[0x10] $r1
	mov b32 $r2 0x64
	ld b32 $r3 g14[$r1]
loop:
	add b32 $r3 $r3 0x1
	st b32 g14[$r1] $r3
	add b32 $r2 $r2 0xffffffff
	set $c0 # g s32 $r2 $r124
	(lg $c0) bra loop
	nop {exit}
`

// Warps of a block read at their start before one of them overwrites, as on a board.
func TestBlocksStartTogether(t *testing.T) {
	const threads = 256
	for name, tt := range map[string]struct {
		text string
		want func(thread, before uint32) uint32 // of each word, which began as before
	}{
		"sums that all warps store": {sums, func(thread, before uint32) uint32 {
			if thread < 32 {
				return before + 100
			}
			return before
		}},
		"a neighbour's word, in place": {`
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	add b32 $r2 $r1 0xfffffffc
	mov b32 $r4 b32 s[0x10]
	max u32 $r2 $r2 $r4
	ld b32 $r3 g14[$r2]
	st b32 g14[$r1] $r3
	nop {exit}
`, func(thread, before uint32) uint32 { return max(before, 1001) - 1 }},
		"the same, by the last instruction": {`
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	add b32 $r2 $r1 0xfffffffc
	mov b32 $r4 b32 s[0x10]
	max u32 $r2 $r2 $r4
	ld b32 $r3 g14[$r2]
	st b32 g14[$r1] $r3 {exit}
`, func(thread, before uint32) uint32 { return max(before, 1001) - 1 }},
		"a word that all warps read and add to": {`
	mov b32 $r1 b32 s[0x10]
	ld b32 $r3 g14[$r1]
	mov b32 $r4 0x1
	red add u32 g14[$r1] $r4
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	set $c0 # g u32 $r0 $r124
	(lg $c0) st b32 g14[$r1] $r3
	nop {exit}
`, func(thread, before uint32) uint32 {
			if thread == 0 {
				return before + threads
			}
			return 1000
		}},
		"a count of work behind a long loop": {`
	mov b32 $r1 b32 s[0x10]
	ld b32 $r3 g14[$r1]
	shr u32 $r5 $r0 0x5
	shl b32 $r5 $r5 0x6
	add b32 $r5 $r5 0x1
work:
	add b32 $r5 $r5 0xffffffff
	set $c0 # g s32 $r5 $r124
	(lg $c0) bra work
	add b32 $r4 $r3 0x1
	st b32 g14[$r1] $r4
	shl b32 $r2 $r0 0x2
	add b32 $r2 $r1 $r2
	set $c0 # g u32 $r0 $r124
	(lg $c0) st b32 g14[$r2] $r3
	nop {exit}
`, func(thread, before uint32) uint32 {
			if thread == 0 {
				return before + 1
			}
			return 1000
		}},
	} {
		words := assemble(t, tt.text)
		for _, order := range []simt.Order{simt.OrderTurns, simt.OrderInstruction} {
			for engineName, compile := range startEngines(t) {
				t.Run(fmt.Sprintf("%s, %s, %s", name, order, engineName), func(t *testing.T) {
					got := runStart(t, words, [3]int{threads, 1, 1}, order, compile)
					for i := range uint32(threads) {
						require.Equal(t, tt.want(i, 1000+i), got[i], "thread %d", i)
					}
				})
			}
		}
	}
}

// A word that is a thread's own in a block of one row is read by all rows before one overwrites it.
func TestRowsStartTogether(t *testing.T) {
	words := assemble(t, `
	cvt u32 $r1 u16 $r0l
	shl b32 $r1 $r1 0x2
	add b32 $r1 b32 s[0x10] $r1
	ld b32 $r3 g14[$r1]
	add b32 $r3 $r3 0x1
	st b32 g14[$r1] $r3
	nop {exit}
`)
	for engineName, compile := range startEngines(t) {
		for _, rows := range []int{1, 8} {
			got := runStart(t, words, [3]int{32, rows, 1}, simt.OrderTurns, compile)
			for i := range uint32(32) {
				require.Equal(t, 1001+i, got[i], "%s, %d rows, thread %d", engineName, rows, i)
			}
		}
	}
}

// startEngines are all engines, and hot code with all vector instructions of the host.
func startEngines(t *testing.T) map[string]func(*program.Program) (engine.Code, error) {
	list := map[string]func(*program.Program) (engine.Code, error){"interp": interp.Compile, "reference": reference.Compile}
	for _, simd := range onHost(t) {
		list[simd] = func(p *program.Program) (engine.Code, error) {
			p.Kernel.Host.SIMD = simd
			return translate.CompileHot(p)
		}
	}
	return list
}

// runStart runs a block of threads on words that count from 1000, and returns the words.
func runStart(t *testing.T, words []uint32, block [3]int, order simt.Order, compile func(*program.Program) (engine.Code, error)) []uint32 {
	t.Helper()
	p, err := simt.LowerFor(program.Kernel{
		Name: "start", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 8, Shared: 0x40 + 4*512,
	}, compile)
	require.NoError(t, err)
	threads := block[0] * block[1] * block[2]
	space := mem.NewSpace(1 << 20)
	buf, err := space.Alloc(uint64(4 * threads))
	require.NoError(t, err)
	data, err := space.Bytes(buf, uint64(4*threads))
	require.NoError(t, err)
	for i := range threads {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(1000+i))
	}
	_, err = simt.Run(&simt.Launch{
		Program: p, Grid: [2]int{1, 1}, Block: block, Global: space, Order: order,
		Params: binary.LittleEndian.AppendUint32(nil, buf),
	})
	require.NoError(t, err)
	got := make([]uint32, threads)
	for i := range got {
		got[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return got
}
