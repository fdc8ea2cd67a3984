package planted

// expr is an index or a value: a tree of operations on 32-bit numbers.
type expr struct {
	op   exprOp
	a, b *expr
	c    uint32
}

type exprOp byte

const (
	constant exprOp = iota // c
	thread                 // the number of the thread in its block
	block                  // the number of the block
	launch                 // the number of the launch
	round                  // the counter of the loop at depth c
	add                    // a + b
	from                   // c - a
	times                  // a * c
	xor                    // a ^ c
	and                    // a & c
	shift                  // a >> c
	wrap                   // a, or a - c if that is not negative
	equal                  // 1 if a is c, or else 0
	table                  // element a of a permutation of the threads that the host wrote
	drawn                  // 1 if the ticket was the last one; no thread but one has it
)

// env is what an expression of one thread depends on.
type env struct {
	thread, block, launch uint32
	rounds                [depths]uint32
	table                 []uint32
}

func (x *expr) eval(e *env) uint32 {
	var a uint32
	if x.a != nil {
		a = x.a.eval(e)
	}
	switch x.op {
	case constant:
		return x.c
	case thread:
		return e.thread
	case block:
		return e.block
	case launch:
		return e.launch
	case round:
		return e.rounds[x.c]
	case add:
		return a + x.b.eval(e)
	case from:
		return x.c - a
	case times:
		return a * x.c
	case xor:
		return a ^ x.c
	case and:
		return a & x.c
	case shift:
		return a >> x.c
	case wrap:
		if a >= x.c {
			return a - x.c
		}
		return a
	case equal:
		if a == x.c {
			return 1
		}
		return 0
	case table:
		return e.table[a]
	}
	return 0
}

func num(c int) *expr                    { return &expr{op: constant, c: uint32(c)} }
func leaf(op exprOp) *expr               { return &expr{op: op} }
func counter(depth int) *expr            { return &expr{op: round, c: uint32(depth)} }
func sum(a, b *expr) *expr               { return &expr{op: add, a: a, b: b} }
func by(op exprOp, a *expr, c int) *expr { return &expr{op: op, a: a, c: uint32(c)} }
