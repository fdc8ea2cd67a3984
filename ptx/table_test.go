package ptx

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// registers declares the names in the operands of formText: a register of each size, a float of
// each, vectors of 4 bits types.
const registers = `
	.reg .pred %p<4>;
	.reg .b16 %b16_<9>; .reg .b32 %b32_<9>; .reg .b64 %b64_<9>; .reg .b128 %b128_<9>;
`

// operandText returns an operand that fits a shape.
func operandText(s *shape, ins *Instr, i int) string {
	t := s.typeOf(ins)
	switch s.role {
	case roleAddress:
		return "[%b64_8+-4]"
	case roleConst:
		return "0x1f"
	case roleTexture:
		return "[t"
	case roleCoords:
		return "{%b32_1, %b32_2}]"
	case roleTail:
		return "%b32_3"
	case roleLabel:
		return "L"
	case roleTable:
		return "T"
	case roleCall:
		return "(%b32_0), f, (%b32_1, 1, 0f3F800000)"
	}
	if s.typing == byAddr {
		return "%b64_7"
	}
	one := func(k int) string {
		if t == Pred {
			return fmt.Sprintf("%%p%d", k%4)
		}
		return fmt.Sprintf("%%b%d_%d", max(t.Bits(), 16), k)
	}
	if s.vector && ins.Vector > 1 {
		all := make([]string, ins.Vector)
		for k := range all {
			all[k] = one(k)
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	if s.pair {
		return one(i) + "|%p3"
	}
	if s.lane {
		return one(i) + laneText(ins.Op, i)
	}
	return one(i)
}

// laneText returns a lane of operand i.
func laneText(op Op, i int) string {
	switch {
	case op.Lanes() == 1:
		return []string{".h1", ".b3", ".h0"}[i]
	case op.Lanes() == 2:
		return []string{".h1", ".h31", ".h00"}[i]
	}
	return []string{".b320", ".b7604", ".b0123"}[i]
}

// formText returns an instruction of a form. It has the words at a position of every slot.
func formText(f *form, words []string) string {
	ins := &Instr{Op: f.op}
	for i, s := range f.slots {
		for _, w := range s.words {
			if w.text == words[i] && !s.fixed {
				m := w.meaning
				if m.field == fieldFrom || m.field == fieldFrom2 {
					m.field = fieldType
				}
				ins.set(m)
			}
		}
	}
	name := f.op.String()
	for _, w := range words {
		if w != "" {
			name += "." + w
		}
	}
	if f.op == OpBar && ins.Mods&Aligned != 0 {
		name = strings.Replace(name, "bar", "barrier", 1)
	}
	var args []string
	for i, a := range f.args {
		text := operandText(a.shape, ins, i)
		if a.shape.role == roleSampler || a.shape.role == roleTail && ins.Op == OpTld4 {
			continue
		}
		if a.shape.role == roleTexture && !hasCoords(f) {
			text += "]"
		}
		args = append(args, text)
	}
	return name + " " + strings.Join(args, ", ") + ";"
}

func hasCoords(f *form) bool {
	for _, a := range f.args {
		if a.shape.role == roleCoords {
			return true
		}
	}
	return false
}

// formTexts returns instructions of a form, with every word of every slot at least once, and the
// optional ones also missing.
func formTexts(f *form) []string {
	base := make([]string, len(f.slots))
	for i, s := range f.slots {
		if !s.optional {
			base[i] = s.words[0].text
		}
	}
	all := []string{formText(f, base)}
	for i, s := range f.slots {
		for _, w := range s.words {
			words := append([]string(nil), base...)
			words[i] = w.text
			all = append(all, formText(f, words))
		}
	}
	return all
}

// TestForms reads and prints an instruction for every word of the table.
func TestForms(t *testing.T) {
	for op, forms := range theLanguage().forms {
		if op == 0 {
			continue
		}
		require.NotEmpty(t, forms, "%v has no form", Op(op))
		for _, f := range forms {
			t.Run(f.String(), func(t *testing.T) {
				reached := false
				for _, line := range formTexts(f) {
					m := parseBody(t, "\t"+line+"\n")
					body := m.Func("k").Body
					in := body[len(body)-1].(*Instr)
					reached = reached || theLanguage().formOf(in) == f
					requireRoundTrip(t, in)
				}
				require.True(t, reached, "another form takes all of its instructions")
			})
		}
	}
}

// parseBody reads a kernel with some statements.
func parseBody(t *testing.T, body string) *Module {
	t.Helper()
	m, err := Parse("test", []byte(kernelText(body)))
	require.NoError(t, err, body)
	return m
}

// kernelText puts statements into a kernel of a module that has all that tests name.
func kernelText(body string) string {
	return `.version 8.6
.target sm_100
.address_size 64
.global .texref t;
.global .u32 table[4][2] = {{1, 2}, {3}};
.shared .f32 sh[];
.func (.reg .u32 r) f(.reg .u32 a, .param .u32 b, .reg .f32 c);
.visible .entry k(.param .u64 out)
{
` + registers + `
	T: .branchtargets L, L;
L:
` + body + "}\n"
}

// TestTableWords checks that every word of the table stands for something and that the words of a
// slot stand for values of one field.
func TestTableWords(t *testing.T) {
	for _, forms := range theLanguage().forms {
		for _, f := range forms {
			for _, s := range f.slots {
				if s.fixed || s.dropped {
					continue
				}
				for _, w := range s.words {
					require.NotEqual(t, noField, w.field, "%v: %s", f, w.text)
					require.Equal(t, s.words[0].field, w.field, "%v: %s", f, w.text)
				}
			}
		}
	}
	for name := range macros {
		require.True(t, strings.Contains(table, name), "nothing uses %s", name)
	}
}
