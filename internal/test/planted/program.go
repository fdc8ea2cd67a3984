package planted

// warp is the number of threads of a warp, and depths that of loops in one another.
const (
	warp   = 32
	depths = 2
)

// Kernel is a kernel with its launches.
type Kernel struct {
	grid     int
	shape    [2]int // of a block, in x and y
	launches int    // one after the other
	table    []uint32
	arrays   []*array
	body     []*stmt
}

// threads returns the number of threads of a block.
func (k *Kernel) threads() int { return k.shape[0] * k.shape[1] }

// array is an array of shared memory, or a global one.
type array struct {
	name   string
	shared bool
	bytes  int
}

// stmt is a statement that all threads of a block run.
type stmt struct {
	op    stmtOp
	array *array
	role  role
	index *expr // access: of units of size bytes
	size  int   // access: 1, 2, 4, 8 or 16 bytes
	value *expr // write, atomic: the first word; the next ones are one more each
	line  int   // of the PTX text; set by Text

	test        *test // branch
	body, other []*stmt
	guarded     bool // branch: accesses alone, by a predicate

	depth int   // loop
	count *expr // loop: the number of rounds

	wide bool // fence: for all blocks
}

type stmtOp byte

const (
	access  stmtOp = iota
	branch         // body if the test holds, or else other
	loop           // body, count times
	barrier        // of the block
	fence          //
	ticket         // draw a number
	last           // body, in the block that drew the last number, as array says
)

// role is what an access does.
type role byte

const (
	read role = iota
	write
	atomic
)

// test is a condition: a < c, or a == c.
type test struct {
	a    *expr
	less bool
	c    uint32
}

func (t *test) holds(e *env) bool {
	if t.less {
		return t.a.eval(e) < t.c
	}
	return t.a.eval(e) == t.c
}

// each calls f for all statements, with the list that has it.
func each(list *[]*stmt, f func(list *[]*stmt, i int)) {
	for i := range *list {
		f(list, i)
		if i >= len(*list) { // f took statements out
			return
		}
		each(&(*list)[i].body, f)
		each(&(*list)[i].other, f)
	}
}
