package lane

import (
	"math/bits"
	"unsafe"

	"jacquard/tesla"
)

// Width is the number of lanes of a warp of the machine. Policies may issue for narrower warps, which
// are groups of its lanes: see Group.
const Width = 32

// Mask is a set of lanes, bit i for lane i.
type Mask uint32

// All is the mask of a whole warp.
const All Mask = 1<<Width - 1

// MaxWarps is the most warps of a block.
const MaxWarps = tesla.MaxThreads / Width

// Row is one register of one warp: one word per lane.
type Row = [Width]uint32

// Rows is a register of several warps: the first warp's row and the step to the next warp's. With
// step 0 all warps share one row, as for immediates and constants.
type Rows struct {
	first *Row
	step  uintptr // bytes
}

// rowAlign is the alignment of NewRows in bytes, as the widest vector registers need it.
const rowAlign = 64

// NewRows returns n rows of zeros; the first starts at a multiple of 64 bytes.
func NewRows(n int) []Row {
	if n == 0 {
		return nil
	}
	rows := make([]Row, n+1)
	first := unsafe.Pointer(&rows[0])
	skip := -uintptr(first) % rowAlign
	return unsafe.Slice((*Row)(unsafe.Add(first, skip)), n)
}

// RowsOf returns the rows that start at first, step rows apart. The rows of all selected warps must
// be inside the same allocation.
func RowsOf(first *Row, step int) Rows {
	return Rows{first, uintptr(step) * unsafe.Sizeof(Row{})}
}

// At returns warp w's row.
func (r Rows) At(w int) *Row {
	return (*Row)(unsafe.Add(unsafe.Pointer(r.first), uintptr(w)*r.step))
}

// Sel is a selection of lanes: the warps of a cohort and their masks. Warps are in
// ascending order; no mask is empty.
type Sel struct {
	N    int  // number of warps
	Full bool // every mask is All
	Warp [MaxWarps]uint8
	Mask [MaxWarps]Mask // Mask[i] belongs to Warp[i]
}

// Add appends warp w with mask m. w must be higher than all warps in s, and m not empty.
func (s *Sel) Add(w int, m Mask) {
	s.Warp[s.N] = uint8(w)
	s.Mask[s.N] = m
	s.N++
	s.Full = s.Full && m == All
}

// Columns returns the columns that lanes take in a row of width columns, a power of two: lane l
// takes column l modulo width. If a lane of a lower warp has that column, the lane takes the
// lowest column that no lane needs.
func (s *Sel) Columns(width int) (m Mask) {
	displaced := 0
	for _, lanes := range s.Mask[:s.N] {
		for lanes != 0 {
			group := Group(lanes, width)
			own := lanes & group >> bits.TrailingZeros32(uint32(group))
			displaced += bits.OnesCount32(uint32(own & m))
			m |= own
			lanes &^= group
		}
	}
	for ; displaced > 0; displaced-- {
		m |= m + 1
	}
	return m & (All >> (Width - width))
}

// Gather packs the words of the selection's lanes into one row of width columns. It also returns
// the columns that they take: see Columns.
func (s *Sel) Gather(rows Rows, width int) (row Row, m Mask) {
	var displaced []uint32
	for k, lanes := range s.Mask[:s.N] {
		from := rows.At(int(s.Warp[k]))
		for ; lanes != 0; lanes &= lanes - 1 {
			l := bits.TrailingZeros32(uint32(lanes))
			if at := l % width; m>>at&1 == 0 {
				row[at], m = from[l], m|1<<at
			} else {
				displaced = append(displaced, from[l])
			}
		}
	}
	for _, v := range displaced {
		at := bits.TrailingZeros32(uint32(^m))
		if at >= width {
			break
		}
		row[at], m = v, m|1<<at
	}
	return row, m
}

// Group returns the lanes of the group that holds the lowest lane of m, none if m is empty. Groups are
// of width neighbouring lanes, a power of two.
func Group(m Mask, width int) Mask {
	if m == 0 {
		return 0
	}
	return All >> (Width - width) << (bits.TrailingZeros32(uint32(m)) &^ (width - 1))
}

// Flags is one condition register of one warp: one mask word per bit.
type Flags struct {
	Z, S, C, O Mask
}
