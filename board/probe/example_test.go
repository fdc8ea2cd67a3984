package probe_test

import (
	"fmt"
	"os"

	"jacquard/board/probe"
	"jacquard/board/replay"
	"jacquard/board/verify"
	"jacquard/tesla"
)

func ExampleAsk() {
	row, err := verify.ParseRow("fmul rz", "3f800001", "3f800001", "", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := probe.Ask(new(replay.Engine), tesla.SM10, []verify.Row{row}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := verify.WriteRows(os.Stdout, v.Rows); err != nil {
		fmt.Println(err)
	}
	// Output:
	// op,mods,a,b,c,cc_in,r,cc_out,r2
	// fmul,rz,3f800001,3f800001,,,3f800002,0,
}
