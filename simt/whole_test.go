package simt_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

var wholeTime = flag.Duration("whole", 0, "let TestWhole repeat for so long")

// wholeText is a kernel whose even blocks store elements of equal bytes, in turns zeros and ones,
// while odd blocks load them and note different bytes. A lane's element is at s[0x10] plus the
// offset in the table at s[0x14]; a lane with a negative offset has none. s[0x18] is the number of
// rounds. Notes go to the words at s[0x1c].
const wholeText = `.module sm_13 abi=1 name=m
.kernel k registers=24 shared=32 local=0 barriers=0
	cvt u32 $r0 u16 $r0l
	shl b32 $r0 $r0 0x2
	add b32 $r1 b32 s[0x14] $r0
	ld b32 $r2 g14[$r1]
	add b32 $r3 b32 s[0x10] $r2
	ld $r4 b32 s[0x18]
	cvt u32 $r5 u16 u16 s[0xc]
	and b32 $r5 $r5 0x1
	set $c1 # ge s32 $r2 $r124
	mov b32 $r8 0x0
	mov b32 $r9 0x0
	mov b32 $r10 0x0
	mov b32 $r11 0x0
	mov b32 $r16 0x0
	set $c0 # e s32 $r5 $r124
	(lg $c0) bra write
read:
	GUARD ld TYPE $r8DATA g14[$r3]CHECKS
	add b32 $r4 $r4 0xffffffff
	set $c0 # lg s32 $r4 $r124
	(lg $c0) bra read
	add b32 $r1 b32 s[0x1c] $r0
	set $c0 # lg u32 $r16 $r124
	(lg $c0) st b32 g14[$r1] $r16
	bra done
write:
	GUARD st TYPE g14[$r3] $r8DATA
	xor b32 $r8 $r8 0xffffffff
	mov b32 $r9 $r8
	mov b32 $r10 $r8
	mov b32 $r11 $r8
	add b32 $r4 $r4 0xffffffff
	set $c0 # lg s32 $r4 $r124
	(lg $c0) bra write
done:
	nop {exit}
`

// wholeTypes are the types of accesses by size.
var wholeTypes = []struct {
	size      int
	typ, data string
	checks    string // of $r8 and the next registers: a difference goes to $r16
}{
	{2, "u16", "", `
	shr u32 $r12 $r8 0x8
	xor b32 $r12 $r12 $r8
	and b32 $r12 $r12 0xff
	or b32 $r16 $r16 $r12`},
	{4, "b32", "", wordChecks},
	{8, "b64", "d", wordChecks + `
	xor b32 $r12 $r8 $r9
	or b32 $r16 $r16 $r12`},
	{16, "b128", "q", wordChecks + `
	xor b32 $r12 $r8 $r9
	or b32 $r16 $r16 $r12
	xor b32 $r12 $r10 $r11
	or b32 $r16 $r16 $r12
	xor b32 $r12 $r9 $r10
	or b32 $r16 $r16 $r12`},
}

// wordChecks compares the bytes of $r8.
const wordChecks = `
	shl b32 $r12 $r8 0x8
	xor b32 $r12 $r12 $r8
	shr u32 $r12 $r12 0x8
	or b32 $r16 $r16 $r12`

// wholePlaces are the elements of lanes, negative for none.
var wholePlaces = []struct {
	name string
	at   func(lane int) int
}{
	{"contiguous", func(i int) int { return i }},
	{"not at a row", func(i int) int { return i + 3 }},
	{"scattered", func(i int) int { return i * 37 % 101 }},
	{"one", func(int) int { return 7 }},
	{"shared", func(i int) int { return i / 3 * 2 }},
	{"masked", func(i int) int { return i | -(i % 3 & 1) }},
	{"masked, scattered", func(i int) int { return i*37%101 | -(i % 5 & 1) }},
	{"one lane", func(i int) int { return i | -min(1, i) }},
}

// apart is an amount of shared memory that leaves room for one block per multiprocessor, because
// blocks of one multiprocessor share a worker.
const apart = 12 << 10

// wholeHosts are the engines, with the rounds of a launch: some milliseconds.
var wholeHosts = []struct {
	host   simt.Host
	rounds uint32
}{
	{simt.Host{SIMD: "avx512"}, 60_000},
	{simt.Host{SIMD: "avx2"}, 60_000},
	{simt.Host{Engine: simt.EngineInterp}, 6000},
	{simt.Host{Engine: simt.EngineReference}, 500},
}

// A lane that loads an element which another block stores at the same time gets the old one or the new
// one, whole, as a transaction of a board.
func TestWhole(t *testing.T) {
	for begin, first := time.Now(), true; first || time.Since(begin) < *wholeTime; first = false {
		for _, h := range wholeHosts {
			if simt.CheckEngine(h.host) != nil {
				continue
			}
			for _, x := range wholeTypes {
				for _, guard := range []string{"", " (lg $c1)"} {
					p := wholeProgram(t, h.host, strings.NewReplacer("GUARD", guard, "TYPE", x.typ, "DATA", x.data, "CHECKS", x.checks))
					for _, place := range wholePlaces {
						if guard == "" && strings.Contains(place.name, "mask") || guard == "" && place.name == "one lane" {
							continue
						}
						for _, workers := range []int{2, 7} {
							name := fmt.Sprintf("%s%s, %d bytes%s, %s, %d workers", h.host.Engine, h.host.SIMD, x.size, guard, place.name, workers)
							t.Run(name, func(t *testing.T) { wholeLaunch(t, p, h.rounds, x.size, workers, place.at) })
						}
					}
				}
			}
		}
	}
}

func wholeProgram(t *testing.T, h simt.Host, text *strings.Replacer) *simt.Program {
	img, err := asm.Read(text.Replace(wholeText))
	require.NoError(t, err)
	k := img.Kernels[0]
	p, err := simt.Lower(simt.Kernel{
		Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, k.Code), Registers: k.Registers, Shared: k.Shared, Host: h,
	})
	require.NoError(t, err)
	return p
}

func wholeLaunch(t *testing.T, p *simt.Program, rounds uint32, size, workers int, at func(lane int) int) {
	space := mem.NewSpace(1 << 20)
	elements, err := space.Alloc(4096)
	require.NoError(t, err)
	table, err := space.Alloc(128)
	require.NoError(t, err)
	notes, err := space.Alloc(128)
	require.NoError(t, err)
	offsets, err := space.Bytes(table, 128)
	require.NoError(t, err)
	for i := range 32 {
		binary.LittleEndian.PutUint32(offsets[4*i:], uint32(at(i)*size))
	}
	var params []byte
	for _, v := range []uint32{elements, table, rounds, notes} {
		params = binary.LittleEndian.AppendUint32(params, v)
	}
	_, err = simt.Run(&simt.Launch{
		Program: p, Grid: [2]int{workers &^ 1, 1}, Block: [3]int{32, 1, 1}, Params: params, Dynamic: apart, Global: space, Workers: workers, NoStats: true,
	})
	require.NoError(t, err)
	require.Equal(t, make([]uint32, 32), words(t, space, notes, 32))
}
