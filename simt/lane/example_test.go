package lane_test

import (
	"fmt"

	"jacquard/simt/lane"
)

// Two registers of two warps; warp 0 adds in all lanes, warp 1 in the first two.
func Example() {
	var regs [4]lane.Row // register 0 of warps 0 and 1, then register 1
	d := lane.RowsOf(&regs[0], 1)
	a := lane.RowsOf(&regs[2], 1)
	for i := range lane.Width {
		regs[2][i], regs[3][i] = uint32(i), uint32(100+i)
	}
	ten := lane.Row{}
	for i := range ten {
		ten[i] = 10
	}
	s := lane.Sel{N: 2, Warp: [lane.MaxWarps]uint8{0, 1}, Mask: [lane.MaxWarps]lane.Mask{lane.All, 3}}

	lane.Add(d, a, lane.RowsOf(&ten, 0), &s)

	fmt.Println(regs[0][:4], regs[1][:4])
	// Output: [10 11 12 13] [110 111 0 0]
}
