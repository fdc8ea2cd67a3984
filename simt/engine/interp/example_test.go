package interp_test

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/simt/engine/interp"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// An engine adds 5 to the second register of two lanes of one warp.
func ExampleCompile() {
	words := []uint32{0x2005820d, 0x00000003} // add b32 $r3 $r1 0x5
	p, err := program.Lower(program.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	code, err := interp.Compile(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	eng := code.New(1)
	st := eng.Machine()
	st.Counts = &machine.Counts{Off: make([]uint64, len(p.Code))}
	st.Rows = lane.NewRows(len(p.Rows)) // the immediates, which are constant during a launch
	for i := range st.Rows {
		for l := range st.Rows[i] {
			st.Rows[i][l] = p.Rows[i].Value(&[16][]byte{})
		}
	}
	r := st.RegisterRow(1, 0)
	r[0], r[1] = 7, 8
	var s lane.Sel
	s.Add(0, 0b11)
	eng.Run(&s, 0, 1)
	fmt.Println(st.RegisterRow(3, 0)[:3])
	// Output: [12 13 0]
}
