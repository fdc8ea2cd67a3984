package cubin

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

func TestTextErrors(t *testing.T) {
	const head = "architecture {sm_10}\n"
	consts := func(name, rest string) string {
		return "consts { name = " + name + " segname = const segnum = 0 " + rest + " }\n"
	}
	reloc := func(name, rest string) string {
		return "reloc { name = " + name + " segname = reloc segnum = 14 " + rest + " }\n"
	}
	pool := func(rest string) string {
		return head + "code { name = k bincode { 1 }\nconst { segname = const segnum = 1 " + rest + " } }"
	}
	for _, c := range []struct {
		name, text string
		line       int
		token      string
		problem    string
	}{
		{"no architecture", "modname {m}\n", 2, "", "no architecture block"},
		{"unknown architecture", "architecture\n{\ng80}", 3, "g80", `unknown architecture "g80"`},
		{"second architecture", head + head, 2, "architecture", "second architecture in the file"},
		{"empty block", "architecture {}", 1, "}", "want a value for architecture"},
		{"two values", head + "modname {a\nb}", 3, "b", `want "}" after the value of modname`},
		{"no brace", head + "modname = a", 2, "=", `want "{" after modname`},
		{"abiversion", head + "abiversion {2}", 2, "2", "abiversion is above the limit of 1"},
		{"unknown top key", head + "kode {", 2, "kode", "unknown key in the file: want abiversion, architecture, code, consts, modname, reloc, sampler"},
		{"stray brace", head + "}", 2, "}", "unknown key in the file"},
		{"control byte", head + "mod\x01name", 2, "mod\x01", "byte 0x01 is not printable ASCII"},
		{"high byte", head + "\xc3\xa9", 2, "\xc3", "byte 0xc3 is not printable ASCII"},

		{"unknown key in code", head + "code {\nname = k\nfoo = 1 }", 4, "foo", "unknown key in code: want bar, bincode, const, lmem, name, params_SMEM, reg, smem"},
		{"key without value", head + "code { name = k reg =\n}", 3, "}", "want a value for reg"},
		{"key without equals", head + "code { name = k reg 3 }", 2, "3", `want "=" after reg`},
		{"end inside code", head + "code {\n name = k\n", 4, "", "the data ends inside code"},
		{"end after equals", head + "code { name =", 2, "", "want a value for name"},
		{"end inside bincode", head + "code { name = k bincode { 1", 2, "", "the data ends inside bincode"},
		{"end inside params_SMEM", head + "code { params_SMEM { a {", 2, "", "the data ends inside params_SMEM"},
		{"byte inside params_SMEM", head + "code { params_SMEM { \x7f", 2, "\x7f", "byte 0x7f is not printable ASCII"},
		{"kernel without name", head + "code { bincode { 1 } }", 2, "code", "code without a name"},
		{"kernel without code", head + "code { name = k }", 2, "code", "kernel k has no bincode"},
		{"empty bincode", head + "code { name = k bincode { } }", 2, "code", "kernel k has no bincode"},
		{"second kernel", head + "code { name = k bincode { 1 } }\ncode { name = k bincode { 1 } }", 3, "code", "second kernel named k"},
		{"second key", head + "code { reg = 1\nreg = 1 }", 3, "reg", "second reg in code"},
		{"second bincode", head + "code { bincode { 1 }\nbincode { 1 } }", 3, "bincode", "second bincode in code"},
		{"registers", head + "code { reg = 129 }", 2, "129", "reg is above the limit of 128"},
		{"shared", head + "code { smem = 16385 }", 2, "16385", "smem is above the limit of 16384"},
		{"local", head + "code { lmem = 16385 }", 2, "16385", "lmem is above the limit of 16384"},
		{"barriers", head + "code { bar = 17 }", 2, "17", "bar is above the limit of 16"},
		{"33 bits", head + "code { reg = 4294967296 }", 2, "4294967296", "want a number of at most 32 bits"},
		{"32 bits", head + "code { reg = 4294967295 }", 2, "4294967295", "reg is above the limit of 128"},
		{"negative", head + "code { reg = -1 }", 2, "-1", "want a number of at most 32 bits"},
		{"not a number", head + "code { reg = four }", 2, "four", "want a number of at most 32 bits"},
		{"digits missing", head + "code { reg = 0x }", 2, "0x", "want a number of at most 32 bits"},
		{"word of 33 bits", head + "code { bincode { 0x100000000 } }", 2, "0x100000000", "want a number of at most 32 bits"},
		{"too much code", head + "code { bincode {\n" + strings.Repeat("1 ", maxCode) + "\n1 } }", 4, "1", "more than 4000000 words in bincode"},
		{"brace among words", head + "code { bincode {\n1 { 2 } }", 3, "{", "want a number of at most 32 bits"},
		{"long token", head + strings.Repeat("a", 100), 2, strings.Repeat("a", 37) + "...", "unknown key in the file"},

		{"pool too short for mem", pool("offset = 0 bytes = 4 mem { 1 2 }"), 3, "const", "mem holds 2 words, const only 4 bytes"},
		{"pool beyond its bank", pool("offset = 65532 bytes = 8"), 3, "const", "const ends at byte 65540 of a bank of 65536"},
		{"pool offset", pool("offset = 65537 bytes = 0"), 3, "65537", "offset is above the limit of 65536"},
		{"pool bytes", pool("offset = 0 bytes = 65537"), 3, "65537", "bytes is above the limit of 65536"},
		{"pool bank", head + "code { const { segnum = 16 } }", 2, "16", "segnum is above the limit of 15"},
		{"pool with a name", head + "code { const { name = a } }", 2, "name", "unknown key in const: want bytes, mem, offset, segname, segnum"},
		{"pool without bytes", pool("offset = 0"), 3, "const", "const needs segnum, offset and bytes"},
		{"pool segname", head + "code { const {\nsegname = reloc } }", 2, "const", `const has segname "reloc", want "const"`},
		{"pools overlap", pool("offset = 0 bytes = 8 }\nconst { segname = const segnum = 1 offset = 4 bytes = 4"), 4, "const", "const overlaps the one of line 3 at byte 4 of bank 1"},
		{"pools overlap, later one lower", pool("offset = 4 bytes = 8 }\nconst { segname = const segnum = 1 offset = 0 bytes = 8"), 4, "const", "const overlaps the one of line 3"},

		{"constant without name", head + "consts { segname = const segnum = 0 offset = 0 bytes = 4 }", 2, "consts", "consts without a name"},
		{"constant in bank 1", head + "consts { name = a segname = const segnum = 1 offset = 0 bytes = 4 }", 2, "consts", "consts in bank 1, want 0"},
		{"constant twice", head + consts("a", "offset = 0 bytes = 4") + consts("a", "offset = 4 bytes = 4"), 3, "consts", "second variable or sampler named a"},
		{"constants overlap", head + consts("a", "offset = 0 bytes = 8") + consts("b", "offset = 7 bytes = 1"), 3, "consts", "consts overlaps the one of line 2 at byte 7 of bank 0"},
		{"constant beyond its bank", head + consts("a", "offset = 4 bytes = 65536"), 2, "consts", "consts ends at byte 65540 of a bank of 65536"},
		{"constant too short for mem", head + consts("a", "offset = 0 bytes = 3 mem { 1 2 }"), 2, "consts", "mem holds 2 words, consts only 3 bytes"},

		{"global in bank 0", head + "reloc { name = a segname = reloc segnum = 0 offset = 0 bytes = 4 }", 2, "reloc", "reloc in bank 0, want 14"},
		{"global segname", head + "reloc { name = a segname = const segnum = 14 offset = 0 bytes = 4 }", 2, "reloc", `reloc has segname "const", want "reloc"`},
		{"global of 2 GiB", head + reloc("a", "offset = 0 bytes = 0x80000000"), 2, "0x80000000", "bytes is above the limit of 2147483647"},
		{"global slots overlap", head + reloc("a", "offset = 0 bytes = 64") + reloc("b", "offset = 2 bytes = 64"), 3, "reloc", "reloc overlaps the one of line 2 at byte 2 of bank 14"},
		{"global slot beyond its bank", head + reloc("a", "offset = 65533 bytes = 4"), 2, "reloc", "reloc ends at byte 65537 of a bank of 65536"},
		{"global named like a constant", head + consts("a", "offset = 0 bytes = 4") + reloc("a", "offset = 0 bytes = 4"), 3, "reloc", "second variable or sampler named a"},

		{"sampler without unit", head + "sampler { name = a }", 2, "sampler", "sampler without texunit"},
		{"sampler without name", head + "sampler { texunit = 0 }", 2, "sampler", "sampler without a name"},
		{"sampler unit", head + "sampler { texunit = 128 }", 2, "128", "texunit is above the limit of 127"},
		{"sampler unit twice", head + "sampler { name = a texunit = 0 }\nsampler { name = b texunit = 0 }", 3, "sampler", "second sampler on texunit 0"},
		{"sampler twice", head + "sampler { name = a texunit = 0 }\nsampler { name = a texunit = 1 }", 3, "sampler", "second variable or sampler named a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			img, err := Parse([]byte(c.text))
			require.Nil(t, img)
			var parse *ParseError
			require.ErrorAs(t, err, &parse)
			require.Equal(t, c.line, parse.Line, err.Error())
			require.Equal(t, c.token, parse.Token, err.Error())
			require.Contains(t, parse.Problem, c.problem)
			shown := strings.TrimSuffix(c.token, "...")
			require.True(t, strings.HasPrefix(c.text[parse.Offset:], shown), "offset %d does not lead to the token", parse.Offset)
		})
	}
}

func TestParseErrorText(t *testing.T) {
	_, err := Parse([]byte("architecture {sm_10} code { reg = 129 }"))
	require.EqualError(t, err, `text cubin: line 1 (byte 34), at "129": reg is above the limit of 128`)
	_, err = Parse([]byte("code {"))
	require.EqualError(t, err, `text cubin: line 1 (byte 6), at the end: the data ends inside code`)
}

func TestContainers(t *testing.T) {
	for _, c := range []struct {
		name, data string
		container  Container
		message    string
	}{
		{"nothing", "", Empty, "unsupported container: empty data"},
		{"blanks", " \n\x00architecture", Empty, "unsupported container: empty data"},
		{"something", "\x89PNG\r\n\x1a\n????", Unknown, "unsupported container: unknown data that starts with 89 50 4e 47 0d 0a 1a 0a"},
		{"little", "?", Unknown, "unsupported container: unknown data that starts with 3f 00 00 00 00 00 00 00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.container, Sniff([]byte(c.data)))
			img, err := Parse([]byte(c.data))
			require.Nil(t, img)
			var container *ContainerError
			require.ErrorAs(t, err, &container)
			require.Equal(t, c.container, container.Container)
			require.EqualError(t, err, c.message)
		})
	}
	for data, want := range map[string]Container{
		"\r\n architecture {sm_10}":   Text,
		"\x7fELF\x01\x01":             ELF,
		"\x50\xed\x55\xba\x01\x00":    FatBinary,
		"\xb1\x43\x62\x46\x01\x00":    FatBinary,
		"\x01\x5a\xe5\x1e\x00\x00":    FatBinary,
		"\t.version 1.4\n":            PTX,
		"// compiled\n.version 1.4\n": PTX,
	} {
		require.Equal(t, want, Sniff([]byte(data)), "%q", data)
	}
	require.Equal(t, "Container(99)", Container(99).String())
	require.Equal(t, "Compression(99)", Compression(99).String())
}

func TestNoCode(t *testing.T) {
	for _, c := range []struct{ name, data, found string }{
		{"PTX", "\t.version 1.4\n\t.target sm_10, map_f64_to_f32", "PTX for compute_10"},
		{"PTX with comments", "// compiled\n.version 1.4\n.target compute_20", "PTX for compute_20"},
		{"PTX without a target", ".version 1.4", "PTX for an unknown architecture"},
		{"text for a later generation", "architecture {sm_20}\ncode {", "text cubin for sm_20"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.data))
			var none *NoCodeError
			require.ErrorAs(t, err, &none)
			require.EqualError(t, err, "no machine code for sm_13 or an earlier architecture: found only "+c.found)
		})
	}
	contents, err := Read([]byte("architecture {sm_12}"))
	require.NoError(t, err)
	_, err = contents.Select(tesla.SM11)
	require.EqualError(t, err, "no machine code for sm_11 or an earlier architecture: found only text cubin for sm_12")
	e, err := contents.Select(tesla.SM12)
	require.NoError(t, err)
	require.Equal(t, "sm_12", e.Target())
}
