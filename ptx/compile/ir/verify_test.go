package ir_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// choice is a kernel that stores one of two sums: b0 branches to b1 and b2, which lead to b3.
type choice struct {
	f          *ir.Func
	tid        *ir.Value
	sides      [2]*ir.Value
	phi, store *ir.Value
}

func newChoice() *choice {
	c := &choice{f: ir.NewFunc("k")}
	f := c.f
	entry := f.Blocks[0]
	b1, b2, b3 := f.NewBlock(), f.NewBlock(), f.NewBlock()
	c.tid = entry.Add(f.New(ir.Tid, ir.Word))
	zero := entry.Add(f.New(ir.ICmp, ir.Pred, c.tid, f.Word(0)))
	zero.Cmp, zero.Sub = ptx.Eq, ptx.U32
	entry.Branch(zero, b1, b2)
	for i, b := range []*ir.Block{b1, b2} {
		c.sides[i] = b.Add(f.New(ir.Add, ir.Word, c.tid, f.Word(uint32(i)+5)))
		b.Jump(b3)
	}
	c.phi = b3.Add(f.New(ir.Phi, ir.Word, c.sides[:]...))
	c.store = b3.Add(f.New(ir.Store, ir.None, f.Word(0), c.phi))
	c.store.Space, c.store.Count = ptx.Global, 1
	b3.End = ir.Exit
	f.Order()
	return c
}

func TestVerify(t *testing.T) {
	require.NoError(t, ir.Verify(newChoice().f))
	for _, c := range []struct {
		name   string
		damage func(c *choice)
		want   string
	}{
		{"an operand of another path", func(c *choice) { c.store.SetArg(1, c.sides[0]) },
			"not made on every path before"},
		{"an operand that comes later", func(c *choice) { c.sides[0].SetArg(0, c.phi) }, "not made on every path before"},
		{"an operand that is the value itself", func(c *choice) { c.sides[0].SetArg(0, c.sides[0]) }, "not made on every path before"},
		{"a way back to the entry", func(c *choice) {
			entry := c.f.Blocks[0]
			c.phi.Block.End = ir.Jump
			c.phi.Block.To[0], entry.Preds = entry, []*ir.Block{c.phi.Block}
		}, "the entry has predecessors"},
		{"an operand in no block", func(c *choice) { c.store.SetArg(1, c.f.New(ir.Tid, ir.Word)) }, "which nothing makes"},
		{"a phi without an operand", func(c *choice) { c.phi.SetArgs(c.sides[0]) }, "has 1 operands for 2 predecessors"},
		{"operands of a phi in the wrong order", func(c *choice) { c.phi.SetArgs(c.sides[1], c.sides[0]) }, "not made on every path"},
		{"a phi of 64 bits", func(c *choice) {
			for i, s := range c.sides {
				c.sides[i] = s.Block.Add(c.f.New(ir.Pack, ir.Long, s, s))
			}
			c.phi.Kind = ir.Long
			c.phi.SetArgs(c.sides[:]...)
			low := c.f.New(ir.Low, ir.Word, c.phi)
			low.Block = c.phi.Block
			c.store.SetArg(1, low)
			c.phi.Block.Values = []*ir.Value{c.phi, low, c.store}
		}, "joins several words"},
		{"a way to nowhere", func(c *choice) { c.sides[0].Block.To[0] = nil }, "no block of the function"},
		{"a kind", func(c *choice) { c.sides[0].Kind = ir.Long }, "kinds of"},
		{"too few operands", func(c *choice) { c.sides[0].SetArgs(c.tid) }, "kinds of"},
		{"too many operands", func(c *choice) { c.sides[0].AddArg(c.tid) }, "kinds of"},
		{"a count of users", func(c *choice) { c.tid.Uses++ }, "has 3 users and says 4"},
		{"a value twice", func(c *choice) { c.phi.Block.Values = append(c.phi.Block.Values, c.store) }, "stands in b3, too"},
		{"a phi behind another value", func(c *choice) {
			b := c.phi.Block
			b.Values[0], b.Values[1] = b.Values[1], b.Values[0]
		}, "comes after other values"},
		{"no end", func(c *choice) { c.phi.Block.End = ir.Open }, "has no end"},
		{"a branch without a control", func(c *choice) { c.f.Blocks[0].Control = nil }, "a branch has a control"},
		{"a control that is a word", func(c *choice) { c.f.Blocks[0].Control = c.tid }, "no predicate"},
		{"an edge that the other end misses", func(c *choice) { c.phi.Block.Preds = c.phi.Block.Preds[:1] }, "edges to b3"},
		{"a way out of the kernel", func(c *choice) { c.sides[0].Block.To[0] = &ir.Block{ID: 3} }, "leads to no block"},
		{"another block", func(c *choice) { c.store.Block = c.tid.Block }, "does not know its block"},
		{"the carry of no sum", func(c *choice) {
			c.sides[0].Op = ir.AddC
			c.sides[0].AddArg(c.tid)
		}, "takes the carry of no sum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newChoice()
			c.damage(k)
			require.ErrorContains(t, ir.Verify(k.f), c.want)
		})
	}
}

// Operands and results have the kinds of their operation.
func TestVerifyKinds(t *testing.T) {
	for _, text := range []string{
		"p3 = add p2 p2", "t3 = and t4 t4", "l3 = add l1 w0", "l3 = add w0 w0", "l3 = shl l1 l1", "w3 = pack w0 w0", "w3 = low w0",
		"w3 = select w0 w0 w0", "w3 = select p2 w0 l1", "l3 = fadd l1 l1", "p3 = phi p2 w0", "w3 = cvt p2", "p3 = cvt w0",
		"w3 = load.global.u32 l1", "w3 = store.global.u32 w0 w0", "store.global.u32 w0 l1", "p3 = tid", "a3 = addrto w0", "w3 = shl16 w0",
		"bar p2", "w3 = add w0", "w3 = add w0 w0 w0", "l3 = atom.add.global.u64 w0 w0", "w3 = vote p2", "locked w0",
	} {
		_, err := ir.Parse("k\nb0:\n\tw0 = tid\n\tl1 = load.global.u64 w0\n\tp2 = icmp.lt.u32 w0 0x5\n\t" + text + "\n\texit\n")
		require.ErrorContains(t, err, "kinds of", text)
	}
}
