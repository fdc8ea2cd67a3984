package x86

// row describes a vector or mask operation: one line of a table. The tables are in the files
// op_*.go, one per family. The columns, from left to right, follow the headings of Intel's manual:
//
//	EVEX.512.66.0F.W0 FE /r  VPADDD zmm1 {k1}{z}, zmm2, zmm3/m512/m32bcst
//
// is {VPADDD, "VPADDD", rvm, evex, p66, m0F, 0xFE, w0, full32, 0}.
type row struct {
	op   VOp
	name string
	form form
	enc  encodings
	pp   prefix
	m    opmap
	code byte
	w    wbit
	mem  tuple
	x    extras // including the digit of forms that have one
}

// VOp is a vector or mask operation.
type VOp uint16

// String is the operation's name in Go's assembler, with a suffix if the processor has several
// operations of that name.
func (op VOp) String() string {
	if int(op) >= len(rows) {
		return "VOp?"
	}
	return rows[op].name
}

// form tells which operands an operation has, and in which fields they are encoded.
type form uint8

const (
	rvm    form = iota // D, S, RM
	rvmr               // D, S, RM, M: M is in the upper half of an immediate byte; VEX only
	rm                 // D, RM
	mr                 // register D from register RM; or memory RM from register D
	st                 // memory RM from register D
	stv                // memory RM from register D, masked by S
	vm                 // D, RM, with a digit in ModRM
	m                  // RM, with a digit in ModRM
	gather             // D from the memory RM of each lane; VEX also clears S, its mask
	nul                // no operands
)

// encodings are the encodings that an operation has: a set.
type encodings uint8

const (
	v1 encodings = 1 << iota // VEX.128
	v2                       // VEX.256
	_
	e1 // EVEX.128
	e2 // EVEX.256
	e4 // EVEX.512

	vex  = v1 | v2
	evex = e1 | e2 | e4
	both = vex | evex
)

// prefix is the field pp of VEX and EVEX.
type prefix uint8

const (
	pNo prefix = iota
	p66
	pF3
	pF2
)

// opmap is the opcode map.
type opmap uint8

const (
	m0F opmap = 1 + iota
	m38
	m3A
)

// wbit is the bit W.
type wbit uint8

const (
	w0 wbit = iota // 0, or ignored
	wE             // 1 in EVEX; 0, or ignored, in VEX
	w1             // 1
)

// tuple tells how many bytes of memory RM has: the unit of a displacement of one byte in EVEX.
// Full and half tuples name the bits of an element, as embedded broadcast reads one.
type tuple uint8

const (
	noMem   tuple = iota // registers only
	full                 // a vector, without broadcast
	full32               // a vector of 32-bit elements
	full64               // a vector of 64-bit elements
	half                 // half a vector, without broadcast
	half32               // half a vector of 32-bit elements
	quarter              // a quarter of a vector
	eighth               // an eighth of a vector
	mem1                 // 1 byte, whatever the width, and so on
	mem2
	mem4
	mem8
	mem16
	mem32
)

// shift is the logarithm of the bytes of memory for the width.
func (t tuple) shift(l Width, bcst bool) uint8 {
	if bcst {
		if t == full64 {
			return 3
		}
		return 2
	}
	switch t {
	case full, full32, full64:
		return 4 + uint8(l)
	case half, half32:
		return 3 + uint8(l)
	case quarter:
		return 2 + uint8(l)
	case eighth:
		return 1 + uint8(l)
	case noMem:
		return 0
	}
	return uint8(t - mem1)
}

// canBcst tells whether the operand may be one element.
func (t tuple) canBcst() bool { return t == full32 || t == full64 || t == half32 }

// extras is the set of a row's other properties. Its lowest three bits are the digit of the forms
// vm and m.
type extras uint16

const (
	imm8    extras = 8 << iota // an immediate byte follows
	er                         // embedded rounding
	sae                        // exceptions can be suppressed
	memOnly                    // RM is memory
	vexReg                     // RM is no memory in VEX
	noK                        // no opmask
	needK                      // an opmask other than K0
	dK                         // D is a mask register; in operations with both encodings, in EVEX
	dR                         // D is a general register
	sK                         // S is a mask register
	rmK                        // RM is a mask register
	rmR                        // RM is a general register
	lig                        // the width is not the caller's: the row has only one

	digits = imm8 - 1
)

// rows are the operations in the order of their constants.
var rows = table(moveRows[:], maskRows[:], logicRows[:], shiftRows[:], integerRows[:],
	shuffleRows[:], memoryRows[:], floatRows[:], fusedRows[:], convertRows[:])

// table joins the families and checks that each row is at the place of its constant.
func table(families ...[]row) []row {
	all := make([]row, 0, endConvert)
	for _, f := range families {
		for _, r := range f {
			if int(r.op) != len(all) {
				panic("x86: row out of order: " + r.name)
			}
			all = append(all, r)
		}
	}
	return all
}
