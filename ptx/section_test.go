package ptx

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const sectioned = `.version 7.8
.target sm_20, debug
.address_size 64
.global .b32 total;
.entry k()
{
$L__func_begin0:
	.loc 1 3 1, function_name $L__info_string0+4, inlined_at 1 7 2
	ret;
$L__func_end0:
}
.section .debug_info {
	.b32 .debug_abbrev+2, 7
	.b8 1, -1
	.b64 $L__func_end0-$L__func_begin0
	.b64 total-4
	.b16 0x102
}
	.section	.debug_str
	{
$L__info_string0:
	.b8 97, 0
$L__end:
	}
.section .debug_macro { .b8 1 { 2 } }
`

// Sections and .loc are kept, and printed as they are read. A section of another form is passed over.
func TestSections(t *testing.T) {
	m, err := Parse("", []byte(sectioned))
	require.NoError(t, err)
	require.Len(t, m.Sections, 2)
	info, names := m.Sections[0], m.Sections[1]
	require.Equal(t, &Section{Pos: Pos{12, 10}, Name: "debug_info",
		Data: []byte{0, 0, 0, 0, 7, 0, 0, 0, 1, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1},
		Refs: []SectionRef{
			{Bytes: 4, Of: ".debug_abbrev", Addend: 2},
			{Offset: 10, Bytes: 8, Of: "$L__func_end0", Less: "$L__func_begin0"},
			{Offset: 18, Bytes: 8, Of: "total", Addend: -4},
		}}, info)
	require.Equal(t, []SectionLabel{{"$L__info_string0", 0}, {"$L__end", 2}}, names.Labels)

	text := ".version 1.0\n.target sm_10\n" + info.String() + names.String()
	again, err := Parse("", []byte(text))
	require.NoError(t, err)
	for i, s := range again.Sections {
		s.Pos = m.Sections[i].Pos
		require.Equal(t, m.Sections[i], s)
	}

	loc := m.Func("k").Body[1].(*Loc)
	require.Equal(t, ".loc 1 3 1, function_name $L__info_string0+4, inlined_at 1 7 2", loc.String())
	require.Equal(t, &Call{1, 7, 2}, loc.Call)
}
