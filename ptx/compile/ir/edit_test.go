package ir_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx/compile/ir"
)

// edited is what TestEdits changes. b3 has two ways from b2.
const edited = `k
b0:
	w0 = tid
	p1 = icmp.lt.u32 w0 0x5
	branch p1 b1 b2
b1: <- b0
	w2 = symbol.shared +0x10 array
	jump b3
b2: <- b0
	w3 = add.sat.s32 w0 0x7
	branch p1 b3 b3
b3: <- b1 <- b2 <- b2
	w4 = phi w2 w3 0x9
	w5 = phi 0x0 w0 w3
	w6 = sad.u32 w4 w5 w0
	store.global.u32 w0 w6
	exit
`

// kernel is a kernel in a test.
type kernel struct{ *ir.Func }

// value returns the value with a number.
func (k kernel) value(id int32) *ir.Value {
	for _, b := range k.Blocks {
		for _, v := range b.Values {
			if v.ID == id {
				return v
			}
		}
	}
	return nil
}

// uses returns how often each value is an operand or a control.
func (k kernel) uses() map[*ir.Value]int32 {
	n := map[*ir.Value]int32{}
	for _, b := range k.Blocks {
		for _, v := range b.Values {
			n[v] += 0
			for _, a := range v.Args {
				n[a]++
			}
		}
		if b.Control != nil {
			n[b.Control]++
		}
	}
	return n
}

// An edit changes what it says, edges on both sides, and the counts of users: of constants, too.
func TestEdits(t *testing.T) {
	for _, c := range []struct {
		name    string
		edit    func(k kernel)
		changes []string // old and new lines
	}{
		{"an operand", func(k kernel) { k.value(6).SetArg(1, k.value(3)) },
			[]string{"sad.u32 w4 w5 w0", "sad.u32 w4 w3 w0"}},
		{"an operand that is a constant", func(k kernel) { k.value(3).SetArg(1, k.Word(8)) },
			[]string{"w0 0x7", "w0 0x8"}},
		{"an operand that stays", func(k kernel) { k.value(6).SetArg(1, k.value(5)) }, nil},
		{"fewer operands", func(k kernel) { k.value(4).SetArgs(k.value(3)) },
			[]string{"phi w2 w3 0x9", "phi w3"}},
		{"more operands than a value has room for", func(k kernel) {
			k.value(6).SetArgs(k.value(0), k.value(4), k.value(5), k.value(0), k.Word(5))
		}, []string{"sad.u32 w4 w5 w0", "sad.u32 w0 w4 w5 w0 0x5"}},
		{"one operand more", func(k kernel) { k.value(4).AddArg(k.value(0)) },
			[]string{"phi w2 w3 0x9", "phi w2 w3 0x9 w0"}},
		{"another operation", func(k kernel) { k.value(6).Become(ir.Add, k.value(5), k.Word(7)) },
			[]string{"sad.u32 w4 w5 w0", "add.u32 w5 0x7"}},
		{"a copy of a symbol", func(k kernel) { k.value(2).CopyOf(k.value(0)) },
			[]string{"symbol.shared +0x10 array", "copy.shared w0"}},
		{"a copy of a sum that saturates", func(k kernel) { k.value(3).CopyOf(k.value(0)) },
			[]string{"add.sat.s32 w0 0x7", "copy.s32 w0"}},
		{"a way less", func(k kernel) {
			k.Blocks[1].End = ir.Exit
			k.Blocks[3].RemovePred(k.Blocks[1])
		}, []string{"jump b3", "exit", "b3: <- b1 <- b2", "b3: <- b2", "phi w2 w3 0x9", "phi w3 0x9", "phi 0x0 w0 w3", "phi w0 w3"}},
		{"a way that is none", func(k kernel) { k.Blocks[3].RemovePred(k.Blocks[0]) }, nil},
		{"another block on the way", func(k kernel) {
			b := k.NewBlock()
			b.End, b.To[0], b.Preds = ir.Jump, k.Blocks[3], []*ir.Block{k.Blocks[1]}
			k.Blocks[1].To[0] = b
			k.Blocks[3].ReplacePred(k.Blocks[1], b)
		}, []string{"jump b3", "jump b4", "b3: <- b1", "b3: <- b4", "\texit\n", "\texit\nb4: <- b1\n\tjump b3\n"}},
		{"another block on one of two ways", func(k kernel) {
			b := k.NewBlock()
			b.End, b.To[0], b.Preds = ir.Jump, k.Blocks[3], []*ir.Block{k.Blocks[2]}
			k.Blocks[2].To[0] = b
			k.Blocks[3].ReplacePred(k.Blocks[2], b)
		}, []string{"branch p1 b3", "branch p1 b4", "<- b2 <- b2", "<- b4 <- b2", "\texit\n", "\texit\nb4: <- b2\n\tjump b3\n"}},
		{"a jump to the first side", func(k kernel) {
			k.Blocks[0].ToJump(0)
			k.Order()
		}, []string{"branch p1 b1 b2", "jump b1", "b2: <- b0\n\tw3 = add.sat.s32 w0 0x7\n\tbranch p1 b3 b3\nb3", "b2",
			" <- b2 <- b2", "", "jump b3", "jump b2", "phi w2 w3 0x9", "phi w2", "phi 0x0 w0 w3", "phi 0x0"}},
		{"a jump to the second side", func(k kernel) {
			k.Blocks[0].ToJump(1)
			k.Order()
		}, []string{"branch p1 b1 b2", "jump b1", "b1: <- b0\n\tw2 = symbol.shared +0x10 array\n\tjump b3\nb2", "b1",
			"branch p1 b3 b3", "branch p1 b2 b2", "b3: <- b1 <- b2 <- b2", "b2: <- b1 <- b1", "phi w2 w3 0x9", "phi w3 0x9", "phi 0x0 w0 w3", "phi w0 w3"}},
		{"a jump in place of two ways to a block", func(k kernel) { k.Blocks[2].ToJump(0) },
			[]string{"branch p1 b3 b3", "jump b3", " <- b2 <- b2", " <- b2", "phi w2 w3 0x9", "phi w2 0x9", "phi 0x0 w0 w3", "phi 0x0 w3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := ir.Parse(edited)
			require.NoError(t, err)
			k := kernel{f}
			before := k.uses()
			c.edit(k)
			require.Equal(t, strings.NewReplacer(c.changes...).Replace(edited), f.String())
			after := k.uses()
			for v := range before {
				require.Equal(t, after[v], v.Uses, "users of %s", v)
			}
			for v, n := range after {
				require.Equal(t, n, v.Uses, "users of %s", v)
			}
			for _, b := range f.Blocks {
				for _, s := range b.Succs() {
					require.Contains(t, s.Preds, b)
				}
				require.Equal(t, b.End == ir.Branch, b.Control != nil)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	f, err := ir.Parse("k\nb0:\n\tw0 = tid\n\tw1 = copy w0\n\tw2 = copy w1\n\tw3 = add w2 w2\n\texit\n")
	require.NoError(t, err)
	k := kernel{f}
	require.Equal(t, k.value(0), ir.Resolve(k.value(2)))
	require.Equal(t, k.value(3), ir.Resolve(k.value(3)))
}

// Values have numbers of their own, however many there are, and operands of their own.
func TestNew(t *testing.T) {
	f := ir.NewFunc("k")
	tid := f.New(ir.Tid, ir.Word)
	all := []*ir.Value{tid}
	for i := range 1000 {
		all = append(all, f.New(ir.Add, ir.Word, all[i], tid))
	}
	for i, v := range all {
		require.EqualValues(t, i, v.ID)
		if i > 0 {
			require.Equal(t, []*ir.Value{all[i-1], tid}, v.Args)
			require.Equal(t, ir.Add, v.Op)
		}
	}
	require.Equal(t, 1001, f.MaxID())
	require.EqualValues(t, 1001, tid.Uses)
}

// Equal constants of one kind are one value, and a Word has 32 bits.
func TestConst(t *testing.T) {
	f := ir.NewFunc("k")
	require.Same(t, f.Word(5), f.Const(ir.Word, 1<<32|5))
	require.NotSame(t, f.Word(5), f.Word(6))
	require.NotSame(t, f.Word(5), f.Const(ir.Long, 5))
	require.EqualValues(t, 1<<32|5, f.Const(ir.Long, 1<<32|5).Imm)
	require.Equal(t, f.Blocks[0], f.Word(5).Block)
}
