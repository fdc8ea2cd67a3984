package simt_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// boundsHead begins a kernel with a parameter at s[0x10], 32 bytes of static shared memory at 0x14,
// and 20 bytes of local memory. $r0 is the number of the thread, $r1 its parameter.
const boundsHead = `.module sm_13 abi=1 name=m
.kernel k registers=8 shared=0x34 local=20 barriers=0
	cvt u32 $r0 u16 $r0l
	ld $r1 b32 s[0x10]
`

const boundsEnd = "\n\tnop {exit}\n"

// Each kernel runs in 8 threads. Accesses within bounds are no findings, whatever makes their
// addresses.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		name, code string
		param      uint32
		want       []string
	}{
		{"shared", "shl $a1 $r0 0x2\nst b32 s[$a1+0x14] $r0", 0, nil},
		{"before shared", "shl $a1 $r0 0x2\nmov b32 $r2 b32 s[$a1+0x10]", 0,
			[]string{"read of shared 0x10 by lanes 00000001: shared memory at 0x10 belongs to the launch and its parameters, which end at 0x14"}},
		{"before shared, stored", "shl $a1 $r0 0x2\nst b32 s[$a1+0x4] $r0", 0,
			[]string{"write of shared 0x4 by lanes 0000000f: shared memory at 0x4 belongs to the launch and its parameters, which end at 0x14"}},
		{"negative index", "sub b32 $r2 $r0 0x1\nshl $a1 $r2 0x2\nmov b32 $r3 b32 s[$a1+0x18]", 0, nil},
		{"parameter by a constant address", "add $a1 0x0 0x10\nmov b32 $r2 b32 s[$a1]", 0, nil},
		{"far index", "shl $a1 $r1 0x2\nld b32 $r2 l[$a1]", 16384,
			[]string{"read of local 0x0 by lanes 000000ff: the address 0x10000 does not fit into 16 bits, and 0x0 is accessed in its place"}},
		{"far index of a parameter", "shl $a1 b32 s[0x10] 0x2\nld b32 $r2 l[$a1]", 16385,
			[]string{"read of local 0x4 by lanes 000000ff: the address 0x10004 does not fit into 16 bits, and 0x4 is accessed in its place"}},
		{"far index that is lost", "shl $a1 $r1 0x2\nmov b32 $r1 0x0\nld b32 $r2 l[$a1]", 16384, nil},
		{"generic address", "shl $a1 $r1 0x0\nmov b32 $r2 b32 s[$a1]", 0xfd000020, nil},
		{"beyond a window", "shl $a1 $r1 0x0\nmov b32 $r2 b32 s[$a1]", 0xfd010020,
			[]string{"read of shared 0x20 by lanes 000000ff: the address 0xfd010020 does not fit into 16 bits, and 0x20 is accessed in its place"}},
		{"local", "and b32 $r2 $r0 0x3\nshl $a1 $r2 0x2\nst b32 l[$a1] $r0", 0, nil},
		{"beyond local", "and b32 $r2 $r0 0x7\nshl $a1 $r2 0x2\nst b32 l[$a1] $r0", 0,
			[]string{"write of local 0x14 by lanes 000000e0: an access to local memory ends at 0x18, beyond the 20 bytes of a thread"}},
		{"constant", "and b32 $r2 $r0 0x3\nshl $a1 $r2 0x2\nld $r3 b32 c0[$a1]", 0, nil},
		{"beyond a constant", "shl $a1 $r0 0x2\nld $r3 b32 c0[$a1]", 0,
			[]string{"read of constant 0x10 by lanes 000000f0: constants at 0x10 are read; before them weights ends at 0x10"}},
		{"constant as an operand", "shl $a1 $r0 0x2\nadd b32 $r3 $r0 c0[$a1+0x10]", 0,
			[]string{"read of constant 0x10 by lanes 000000ff: constants at 0x10 are read; before them weights ends at 0x10"}},
		{"beyond a bank", "shl $a1 $r0 0x2\nld $r3 b32 c2[$a1]", 0,
			[]string{"read of constant 0x8 by lanes 000000fc: constants at 0x8 are read; before them the bank ends at 0x8"}},
		{"texels", "add b32 $r2 $r0 0xffffffff\ntexfetch live $r2:#:#:# $t0 $s0 $r2 0x0 0x0 0x0", 0,
			[]string{"read of texture by lanes 000000c1: texel -1 is fetched from a texture of 5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, h := range wholeHosts {
				if simt.CheckEngine(h.host) == nil {
					require.Equal(t, c.want, boundsOf(t, h.host, c.code, c.param), "%s %s", h.host.Engine, h.host.SIMD)
				}
			}
		})
	}
}

// boundsOf runs a kernel and returns what Bounds finds in it.
func boundsOf(t *testing.T, host simt.Host, code string, param uint32) (list []string) {
	t.Helper()
	img, err := asm.Read(boundsHead + code + boundsEnd)
	require.NoError(t, err)
	k := img.Kernels[0]
	p, err := simt.Lower(simt.Kernel{
		Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, k.Code), Registers: k.Registers, Shared: k.Shared, Local: k.Local, Host: host,
	})
	require.NoError(t, err)
	space := mem.NewSpace(1 << 20)
	at, err := space.Alloc(24)
	require.NoError(t, err)
	bounds := &check.Bounds{
		Constants: []check.Constant{{Name: "weights", First: 0, End: 0x10}, {Name: "others", First: 0x40, End: 0x50}},
		Report: func(f check.Finding, _ *program.Op) {
			s := fmt.Sprintf("%s of %s", f.At.Role, f.Space)
			if f.At.Addr != nil {
				s += fmt.Sprintf(" %#x", *f.At.Addr)
			}
			list = append(list, fmt.Sprintf("%s by lanes %08x: %s", s, uint32(f.At.Where[0].Lanes), f.Text))
		},
	}
	l := &simt.Launch{
		Program: p, Grid: [2]int{1, 1}, Block: [3]int{8, 1, 1}, Params: []byte{byte(param), byte(param >> 8), byte(param >> 16), byte(param >> 24)}, Global: space,
		Textures: []texture.Texture{{Kind: texture.Linear, Format: texture.FormatU32, Channels: 1, Integer: true, Base: at, Size: 22}},
	}
	l.Const[0], l.Const[2] = make([]byte, 0x50), make([]byte, 8)
	if bounds.Looks(p.Program) {
		l.Checker = bounds
	}
	_, err = simt.Run(l)
	require.NoError(t, err)
	return list
}
