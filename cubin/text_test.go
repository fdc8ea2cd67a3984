package cubin

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// full uses every block and key.
const full = `architecture {sm_13}
abiversion {1}
modname {cubin}
sampler {
	name = image
	texunit = 3
}
consts {
	name = table
	segname = const
	segnum = 0
	offset = 16
	bytes = 6
	mem {
		0x04030201 0x00000605
	}
}
reloc {
	name = counters
	segname = reloc
	segnum = 14
	offset = 4
	bytes = 16777216
}
code {
	name = _Z3addPf
	lmem = 8
	smem = 0x1c
	reg = 4
	bar = 1
	params_SMEM { a { 4 = 0 } b }
	bincode {
		0xd00e0405 0x80c00780 0000000000 7
		0xf0000001
	}
	const {
		segname = const
		segnum = 1
		offset = 0
		bytes = 8
		mem {
			0x3f800000
		}
	}
}
code { name = empty bincode { 0xf0000001 0xe0000001 } }
`

func fullImage() *Image {
	return &Image{
		Arch:       tesla.SM13,
		ABIVersion: 1,
		Name:       "cubin",
		Samplers:   []Sampler{{Name: "image", Unit: 3}},
		Constants:  []Variable{{Name: "table", Offset: 16, Bytes: 6, Init: []byte{1, 2, 3, 4, 5, 6}}},
		Globals:    []Global{{Name: "counters", Bytes: 16 << 20, Slots: []Slot{{Offset: 4}}}},
		Kernels: []Kernel{
			{
				Name: "_Z3addPf", Local: 8, Shared: 28, Registers: 4, Barriers: 1,
				Code:     []uint32{0xd00e0405, 0x80c00780, 0, 7, 0xf0000001},
				Segments: []Segment{{Bank: 1, Offset: 0, Bytes: 8, Init: []byte{0, 0, 0x80, 0x3f}}},
			},
			{Name: "empty", Code: []uint32{0xf0000001, 0xe0000001}},
		},
	}
}

func TestTextShapes(t *testing.T) {
	blocks := strings.Split(full, "\ncode ")
	reordered := "code " + blocks[1] + "\ncode " + blocks[2] + blocks[0]
	for name, text := range map[string]string{
		"as compilers write it": full,
		"CRLF":                  strings.ReplaceAll(full, "\n", "\r\n"),
		"one line":              strings.Join(strings.Fields(full), " "),
		"tight":                 strings.NewReplacer(" = ", "=", " {", "{", "{ ", "{", " }", "}").Replace(full),
		"wide":                  strings.NewReplacer(" ", "  \t", "{", " { ", "=", " = ").Replace(full),
		"kernels first":         reordered,
		"padded with NULs":      full + "\x00\x00\x00}\xff",
		"blank lines before":    "\n\n \t" + full,
	} {
		t.Run(name, func(t *testing.T) {
			img, err := Parse([]byte(text))
			require.NoError(t, err)
			require.Equal(t, fullImage(), img)
		})
	}
}

func TestTextDefaults(t *testing.T) {
	img, err := Parse([]byte("architecture {sm_10}"))
	require.NoError(t, err)
	require.Equal(t, &Image{Arch: tesla.SM10}, img)
	require.Nil(t, img.Kernel("k"))

	img, err = Parse([]byte(full))
	require.NoError(t, err)
	require.Same(t, &img.Kernels[1], img.Kernel("empty"))
}

func TestTextLimitsAreAllowed(t *testing.T) {
	img, err := Parse([]byte(`architecture {sm_10}
code { name = k lmem = 16384 smem = 16384 reg = 128 bar = 16 bincode { 1 }
	const { segname = const segnum = 15 offset = 65536 bytes = 0 }
	const { segname = const segnum = 2 offset = 65532 bytes = 4 }
	const { segname = const segnum = 2 offset = 0 bytes = 65532 mem { } } }
consts { name = c segname = const segnum = 0 offset = 0 bytes = 65536 }
reloc { name = g segname = reloc segnum = 14 offset = 65532 bytes = 0x7fffffff }
sampler { name = s texunit = 127 }`))
	require.NoError(t, err)
	require.Len(t, img.Kernels[0].Segments, 3)
	require.Equal(t, Segment{Bank: 15, Offset: 65536}, img.Kernels[0].Segments[0])
	require.Equal(t, 0x7fffffff, img.Globals[0].Bytes)
}
