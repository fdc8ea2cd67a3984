package fpu

import "unsafe"

// Row is a register of one warp: a word for each of 32 lanes.
//
// The row functions allow the destination to be one of the sources. They have a short body for rows
// without difficult lanes, the normal case, and otherwise compute lane by lane.
type Row = [32]uint32

// floats is the row as the host's f32; loading words as floats saves a move between register files
// per word.
func floats(r *Row) *[32]float32 { return (*[32]float32)(unsafe.Pointer(r)) }

// tame reports whether the magnitude of every lane is zero or in [least, limit), as bit patterns;
// limit 1<<31 admits everything.
func tame(r *Row, least, limit uint32) bool {
	reach, over := pair(1<<31-least), pair(1<<31-limit)
	wild := outside(join(r[0], r[1]), reach, over) |
		outside(join(r[2], r[3]), reach, over) |
		outside(join(r[4], r[5]), reach, over) |
		outside(join(r[6], r[7]), reach, over) |
		outside(join(r[8], r[9]), reach, over) |
		outside(join(r[10], r[11]), reach, over) |
		outside(join(r[12], r[13]), reach, over) |
		outside(join(r[14], r[15]), reach, over) |
		outside(join(r[16], r[17]), reach, over) |
		outside(join(r[18], r[19]), reach, over) |
		outside(join(r[20], r[21]), reach, over) |
		outside(join(r[22], r[23]), reach, over) |
		outside(join(r[24], r[25]), reach, over) |
		outside(join(r[26], r[27]), reach, over) |
		outside(join(r[28], r[29]), reach, over) |
		outside(join(r[30], r[31]), reach, over)
	return wild&pair(1<<31) == 0
}

// outside tests two lanes at a time: adding 1<<31 - k to a magnitude sets its bit 31 if it is k or
// more.
func outside(lanes, reach, over uint64) uint64 {
	m := lanes & pair(1<<31-1)
	return (m+pair(1<<31-1))&^(m+reach) | (m + over)
}

// join returns two lanes in one word; the compiler makes it one load.
func join(lo, hi uint32) uint64 { return uint64(lo) | uint64(hi)<<32 }

// pair returns x in both halves of a word.
func pair(x uint32) uint64 { return uint64(x) * (1<<32 | 1) }
