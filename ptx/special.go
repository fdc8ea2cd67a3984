package ptx

import "strconv"

// Special is a special register.
type Special uint8

// The special registers. A register with an axis stands for x; add 1 for y, 2 for z, 3 for w,
// which is zero.
const (
	NoSpecial Special = iota
	TidX
	TidY
	TidZ
	TidW
	NTidX
	NTidY
	NTidZ
	NTidW
	CTAIdX
	CTAIdY
	CTAIdZ
	CTAIdW
	NCTAIdX
	NCTAIdY
	NCTAIdZ
	NCTAIdW
	LaneID
	WarpID
	NWarpID
	SMID
	NSMID
	GridID
	LaneMaskEq
	LaneMaskLe
	LaneMaskLt
	LaneMaskGe
	LaneMaskGt
	Clock
	ClockHi
	Clock64
	PM0 // to PM0+7
	PM1
	PM2
	PM3
	PM4
	PM5
	PM6
	PM7
	GlobalTimer
	GlobalTimerLo
	GlobalTimerHi
	DynamicSharedSize
	TotalSharedSize
	EnvReg0 // to EnvReg0+31

	numSpecials = EnvReg0 + 32
)

// specialRow is one row of the table of special registers.
type specialRow struct {
	name  string
	first Special
	axes  bool // .x .y .z .w follow
	bits  int  // 16: also read with 16 bits, as PTX 1.x does; 64: also read with 32 bits
}

var specialRows = [...]specialRow{
	{"%tid", TidX, true, 16}, {"%ntid", NTidX, true, 16}, {"%ctaid", CTAIdX, true, 16},
	{"%nctaid", NCTAIdX, true, 16}, {"%laneid", LaneID, false, 16}, {"%warpid", WarpID, false, 16},
	{"%nwarpid", NWarpID, false, 16}, {"%smid", SMID, false, 16}, {"%nsmid", NSMID, false, 16},
	{"%gridid", GridID, false, 64}, {"%lanemask_eq", LaneMaskEq, false, 32},
	{"%lanemask_le", LaneMaskLe, false, 32}, {"%lanemask_lt", LaneMaskLt, false, 32},
	{"%lanemask_ge", LaneMaskGe, false, 32}, {"%lanemask_gt", LaneMaskGt, false, 32},
	{"%clock", Clock, false, 32}, {"%clock_hi", ClockHi, false, 32},
	{"%clock64", Clock64, false, 64}, {"%globaltimer", GlobalTimer, false, 64},
	{"%globaltimer_lo", GlobalTimerLo, false, 32}, {"%globaltimer_hi", GlobalTimerHi, false, 32},
	{"%dynamic_smem_size", DynamicSharedSize, false, 32},
	{"%total_smem_size", TotalSharedSize, false, 32},
}

// specials finds a special register by its name without the axis, specialNames is the reverse.
var specials, specialNames = indexSpecials()

func indexSpecials() (map[string]specialRow, [numSpecials]string) {
	byName := map[string]specialRow{}
	var names [numSpecials]string
	add := func(r specialRow) {
		byName[r.name] = r
		names[r.first] = r.name
		for i, axis := range []string{".x", ".y", ".z", ".w"} {
			if r.axes {
				names[r.first+Special(i)] = r.name + axis
			}
		}
	}
	for _, r := range specialRows {
		add(r)
	}
	for i := range Special(8) {
		add(specialRow{"%pm" + strconv.Itoa(int(i)), PM0 + i, false, 32})
	}
	for i := range Special(32) {
		add(specialRow{"%envreg" + strconv.Itoa(int(i)), EnvReg0 + i, false, 32})
	}
	return byName, names
}

// String returns the name in the text with its axis: %tid.x.
func (s Special) String() string { return name(specialNames[:], s, "Special") }

// Bits returns the width of the register: 64 or 32. Counts of threads, blocks and warps have 32
// bits and may also be read as 16, and GridID as 32.
func (s Special) Bits() int {
	if s == GridID || s == Clock64 || s == GlobalTimer {
		return 64
	}
	return 32
}

// readable reports whether an instruction may read the register as a value of so many bits.
func (s Special) readable(bits int) bool {
	switch bits {
	case 16:
		return s <= NSMID
	case 32:
		return true
	}
	return s.Bits() == bits
}
