package verify

import (
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/tesla"
	"jacquard/tesla/isa"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The golden file says for every operation how many rows run in which variant, with one
// instruction of each: an encoding that cannot be made any more would otherwise go
// unnoticed.
func TestVariants(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"int", "fp", "fp64", "cvt", "sfu", "atom"} {
		type line struct {
			rows    int
			example string
		}
		lines := map[string]*line{}
		var order []string
		c := checker{rows: vectors(t, name)}
		for _, group := range c.alike() {
			f, err := formOf(group[0])
			require.NoError(t, err)
			variants, err := variantsOf(&f, group[0])
			require.NoError(t, err)
			for i := range variants {
				in := f.instruction(group[0], &variants[i], 0)
				key := group[0].Op + ", " + variants[i].name
				if lines[key] == nil {
					lines[key] = &line{example: text(arch, in)}
					order = append(order, key)
				}
				lines[key].rows += len(group)
			}
		}
		for _, key := range order {
			fmt.Fprintf(&b, "%s: %d rows, %s\n", key, lines[key].rows, lines[key].example)
		}
	}
	const path = "testdata/variants.txt"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}

// vectors returns the rows of a golden file.
func vectors(t *testing.T, name string) []Row {
	t.Helper()
	f, err := os.Open("../../testdata/vectors/" + name + ".csv.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	rows, err := readRows(z)
	require.NoError(t, err)
	return rows
}

// The exactness register calls verified what the vectors cover, and nothing else. What
// they leave out of a covered operation it calls unverified.
func TestVectorsCoverWhatIsVerified(t *testing.T) {
	covered := map[string]bool{} // by operation's name
	for _, name := range []string{"int", "fp", "fp64", "cvt", "sfu", "atom"} {
		c := checker{rows: vectors(t, name)}
		for _, group := range c.alike() {
			f, err := formOf(group[0])
			require.NoError(t, err)
			variants, err := variantsOf(&f, group[0])
			require.NoError(t, err)
			for i := range variants {
				w0, w1, err := decoder.Encode(arch, f.instruction(group[0], &variants[i], 0))
				require.NoError(t, err)
				in := decoder.Decode(arch, w0, w1)
				covered[in.Op.String()] = true
				table := in.Src[0].Kind == tesla.Shared || in.Src[1].Kind == tesla.Const || in.Src[2].Kind == tesla.Const
				open := in.Op == tesla.OpCvt && in.From == tesla.F64 && (in.Type == tesla.U32 || in.Type == tesla.U64)
				open = open || in.Op == tesla.OpRed && in.Atom == tesla.AtomExch // the vectors have it with a result
				if !table && !open && variants[i].name != "guarded" {
					require.Equal(t, tesla.Verified, in.Certainty().Exactness, in.String())
				}
			}
		}
	}
	description, err := isa.ParseFS(os.DirFS("../../tesla/isa/opcode"))
	require.NoError(t, err)
	for _, o := range description.Operations {
		usual := o.Exact[len(o.Exact)-1].Class
		require.Equal(t, covered[o.Op], usual == "verified", o.Op)
	}
}

// What an instruction gets wrong is found, with the instruction that did.
func TestLanesFindErrors(t *testing.T) {
	for _, c := range []struct {
		row  string
		want []string // failures, none if the row is right
	}{
		{"shl,b32,00000001,00000004,,,00000010,0,", nil},
		{"shl,b32,00000001,00000004,,,00000011,0,", []string{
			"shl b32 00000001 00000004: got 00000010 flags 0, want 00000011 flags 0 (shl b32 $c1 $r12 $r4 $r6)",
			"shl b32 00000001 00000004: got 00000010 flags 0, want 00000011 flags 0 ((lg $c2) shl b32 $c1 $r12 $r4 $r6)",
			"shl b32 00000001 00000004: got 00000010 flags 0, want 00000011 flags 0 (shl b32 $c1 $r12 $r4 $r6)",
			"shl b32 00000001 00000004: got 00000010 flags 0, want 00000011 flags 0 (shl b32 $c1 $r12 b32 s[$a1] $r6)",
			"shl b32 00000001 00000004: got 00000010 flags 0, want 00000011 flags 0 (shl b32 $c1 $r12 $r4 c1[$a1])",
			"shl b32 00000001 00000004: got 00000010 flags 0, want 00000011 flags 0 (shl b32 $c1 $r12 b32 s[0x10] $r6)",
			"shl b32 00000001 00000004: got 00000010 flags 0, want 00000011 flags 0 (shl b32 $c1 $r12 $r4 c1[0x0])",
		}},
		{"rcp,,40000000,,,,3f000000,,", nil},
		{"rcp,neg,40000000,,,,3f000000,,", []string{
			"rcp neg 40000000: got bf000000, want 3f000000 (rcp f32 $r12 neg $r4)",
			"rcp neg 40000000: got bf000000, want 3f000000 ((lg $c2) rcp f32 $r12 neg $r4)",
			"rcp neg 40000000: got bf000000, want 3f000000 (rcp f32 $r12 neg $r4)",
			"rcp neg 40000000: got bf000000, want 3f000000 (rcp f32 $r12 neg $r4)",
		}},
		{"atom.max,u32,00000005,00000007,,,00000005,,00000005", []string{
			"atom.max u32 00000005 00000007: got 00000007 returns 00000005, want 00000005 returns 00000005 (ld max u32 $r12 g14[$r2] $r6)",
			"atom.max u32 00000005 00000007: got 00000007 returns 00000005, want 00000005 returns 00000005 ((lg $c2) ld max u32 $r12 g14[$r2] $r6)",
			"atom.max u32 00000005 00000007: got 00000007 returns 00000005, want 00000005 returns 00000005 (ld max u32 $r12 g14[$r2] $r6)",
			"atom.max u32 00000005 00000007: got 00000007, want 00000005 returns 00000005 (red max u32 g14[$r2] $r6)",
		}},
	} {
		t.Run(c.row, func(t *testing.T) {
			r, err := Read(strings.NewReader(strings.Join(header, ",")+"\n"+c.row+"\n"), Options{Lanes: true, Keep: 10})
			require.NoError(t, err)
			var got []string
			for i := range r.Failures {
				got = append(got, r.Failures[i].String())
			}
			require.Equal(t, c.want, got)
		})
	}
}

// A row that no instruction can do is an error, not a row passed over.
func TestNoInstruction(t *testing.T) {
	_, err := Read(strings.NewReader(strings.Join(header, ",")+"\ndmul,rn neg2,3ff0000000000000,3ff0000000000000,,,bff0000000000000,2,\n"), Options{Lanes: true})
	require.EqualError(t, err, "line 2: no instruction does this: cannot encode DMul for sm_13: no form has these operands and modifiers")
}

// Registers, flags and memory that an instruction has no business with are looked at.
func TestStrayWritesAreFound(t *testing.T) {
	m, err := newMachine()
	require.NoError(t, err)
	row := Row{Op: "add", Mods: []string{"b16"}, A: Value{1, 4}, B: Value{2, 4}, Want: Answer{R: Value{3, 4}}}
	f, err := formOf(&row)
	require.NoError(t, err)
	wide := f
	wide.in.Type = tesla.B32
	stray := variant{name: "writes a whole register", place: func(in *tesla.Instruction, _ *Row, _ int) {
		for _, o := range []*tesla.Operand{&in.Dst, &in.Src[0], &in.Src[1]} {
			o.Kind, o.Index = tesla.Reg, o.Index/2
		}
	}}
	b := batch{m: m, form: &wide, variant: &stray}
	b.fill([]*Row{&row})
	require.NoError(t, b.run())
	b.form, b.variant = &f, &variant{place: keep} // what a 16-bit add may write
	var failures []Failure
	b.check(func(f Failure) { failures = append(failures, f) })
	require.Len(t, failures, 1)
	require.Equal(t, "add b16 0001 0002: something else was written (add b16 $c1 $r12l $r4l $r6l)", failures[0].String())
}
