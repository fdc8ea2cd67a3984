package code_test

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/internal/test/cases"
	"jacquard/ptx/compile/code"
	"jacquard/tesla"
)

// TestSizes counts what the passes make of random functions: testdata/sizes.txt. Other tests find
// wrong code; this one finds code that becomes larger, and shows by which pass. A case is a kind of
// functions and their number.
func TestSizes(t *testing.T) {
	cases.Run(t, filepath.Join("testdata", "sizes.txt"), *update, func(t *testing.T, _, text string) string {
		var n, statements int
		var o options
		draw := func(seed uint64) *code.Func { return newRandomFunc(seed, o) }
		if _, err := fmt.Sscanf(text, "%d programs of %d statements", &n, &statements); err == nil {
			draw = func(seed uint64) *code.Func { return newProgram(seed, statements) }
			if strings.Contains(text, "that meet") {
				draw = func(seed uint64) *code.Func { return newMeetings(seed, statements) }
			}
		} else {
			_, err = fmt.Sscanf(text, "%d functions of %d registers, %d variables, %d blocks, %d operations each",
				&n, &o.maxRegs, &o.vars, &o.blocks, &o.ops)
			require.NoError(t, err)
			o.long = strings.Contains(text, "in a row")
		}
		s := sizes{ops: map[string]int{}}
		for seed := range n {
			s.compile(t, draw(uint64(seed)))
		}
		return s.String()
	})
}

// size is what a step made.
type size struct{ blocks, instructions, guarded, copies, literals int }

// sizes are the sums over all functions.
type sizes struct {
	steps                                   []size
	words, registers, local, lines, offsets int
	spills                                  code.Spills
	ops                                     map[string]int // short and long instructions
}

func (s *sizes) compile(t *testing.T, f *code.Func) {
	number := int32(0)
	for _, b := range f.Blocks {
		for i := range b.Code {
			number++
			b.Code[i].Line = code.Line{File: 1 + number%2, Line: 1 + number/3}
		}
		b.End.Line = code.Line{File: 1, Line: number}
	}
	s.count(0, f)
	for i, p := range code.Passes() {
		require.NoError(t, p.Run(f))
		s.count(i+1, f)
	}
	r, err := code.Emit(f)
	require.NoError(t, err)
	s.words, s.registers, s.local = s.words+len(r.Words), s.registers+r.Registers, s.local+r.Local
	for _, l := range r.Lines {
		s.lines, s.offsets = s.lines+1, s.offsets+int(l.Offset)
	}
	a, b := &s.spills, r.Spills
	*a = code.Spills{Rounds: a.Rounds + b.Rounds, Words: a.Words + b.Words,
		Rematerialised: a.Rematerialised + b.Rematerialised, Loads: a.Loads + b.Loads, Stores: a.Stores + b.Stores}
	for _, in := range decoder.Kernel(f.Arch, r.Words) {
		name := in.Op.String()
		if in.Size == 4 {
			name += " short"
		}
		s.ops[name]++
		if in.Marker != tesla.MarkerNone {
			s.ops["... "+in.Marker.String()]++
		}
	}
}

// count adds a function to the sums behind a step.
func (s *sizes) count(step int, f *code.Func) {
	if step == len(s.steps) {
		s.steps = append(s.steps, size{})
	}
	x := &s.steps[step]
	x.blocks, x.literals = x.blocks+len(f.Blocks), x.literals+len(f.Literals)
	for _, b := range f.Blocks {
		x.instructions += len(b.Code)
		for i := range b.Code {
			if b.Code[i].Guard != (code.Guard{}) {
				x.guarded++
			}
			if b.Code[i].Copy {
				x.copies++
			}
		}
	}
}

func (s *sizes) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-10s%8s%14s%9s%8s%10s\n", "pass", "blocks", "instructions", "guarded", "copies", "literals")
	for i, x := range s.steps {
		name := "input"
		if i > 0 {
			name = code.Passes()[i-1].Name
		}
		fmt.Fprintf(&b, "%-10s%8d%14d%9d%8d%10d\n", name, x.blocks, x.instructions, x.guarded, x.copies, x.literals)
	}
	fmt.Fprintf(&b, "machine code: %d words, %d registers, %d bytes of local memory, %d lines at offsets whose sum is %d\n",
		s.words, s.registers, s.local, s.lines, s.offsets)
	fmt.Fprintf(&b, "spills: %+v\n", s.spills)
	names := slices.SortedFunc(maps.Keys(s.ops), func(x, y string) int {
		return cmp.Or(cmp.Compare(s.ops[y], s.ops[x]), cmp.Compare(x, y))
	})
	for _, name := range names {
		fmt.Fprintf(&b, "%6d %s\n", s.ops[name], name)
	}
	return b.String()
}
