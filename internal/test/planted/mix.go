package planted

// Mix is a kernel whose threads take values out of memory, mix them in registers, and put them
// back.
type Mix struct {
	*Kernel
	places []*place
	moves  []*move
	silent int       // the register without a start value, or -1; a mistake
	host   [2]int    // words of the result of a thread that the host gets: from, to
	starts [pool]int // lines of the text that give registers their start values; set by Text
}

// pool is the number of registers that moves work on.
const pool = 6

// place is an array that moves use. Its last elements, the margin, are never written.
type place struct {
	name  string
	space string // shared, local, global
	given bool   // global: the host writes it
	blank int    // given: the first bytes that the host leaves out; a mistake
	size  int    // bytes of an element
	count int    // elements of a block, or of a thread if local, without the margin
	bytes int
	low   bool // words of which only the low byte is written, and used
}

// mask is that of an index which depends on data.
func (p *place) mask() int {
	n := 1
	for 2*n <= p.count {
		n *= 2
	}
	return n - 1
}

// spare is the number of elements behind those that are written.
const spare = 4

// move is a step of all threads of a block.
type move struct {
	op       moveOp
	to, a, b int      // registers
	third    int      // register, of selections
	compute  *compute // calculate
	constant *uint32  // calculate: in place of b
	target            // get, put, count, edge
	test     *test    // of threads: choose, edge, put; nil: none
	bit      int      // fork: of register a
	equal    *uint32  // fork: register a is this; nil: the bit is set
	rounds   int      // repeat: at most, a power of two
	body     []*move  // fork, repeat
	spot              // set by Text
}

// target is what a move uses of an array.
type target struct {
	place  *place
	index  *expr // of units of size bytes; nil: what register a says
	size   int   // bytes
	signed bool  // get
}

// spot is where a move is in the text.
type spot struct {
	line, last int
	number     int // get, count, edge: its bit in cell.from
}

type moveOp byte

const (
	calculate moveOp = iota
	get              // to = place[index]; for 8 and 16 bytes also the next registers
	put              // place[index] = a, for threads that pass the test
	count            // place[index] += a, atomically
	fork             // body, if register a says so
	repeat           // body, as often as register a says
	choose           // a register that some threads write is taken by those
	edge             // to = place[index] in threads that pass the test, or else b
	meet             // a barrier
)

// eachMove calls f for all moves, with the list that has them.
func eachMove(list *[]*move, f func(list *[]*move, i int)) {
	for i := range *list {
		f(list, i)
		if i >= len(*list) { // f took moves out
			return
		}
		eachMove(&(*list)[i].body, f)
	}
}

// words returns the registers that a move of bytes needs.
func (m *move) words() int { return max(1, m.size/4) }

// register returns the number of the i-th register from to on.
func (m *move) register(i int) int { return (m.to + i) % pool }

// source returns the number of the i-th register from a on.
func (m *move) source(i int) int { return (m.a + i) % pool }
