package rollup_test

import (
	"fmt"
	"os"

	"jacquard/decoder"
	"jacquard/observe/stats"
	"jacquard/observe/stats/rollup"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

func ExampleTable() {
	k := simt.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, []uint32{0xf0000001, 0xe0000001}), Shared: 16}
	p, err := simt.Lower(k)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := simt.Run(&simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{48, 1, 1}, Global: mem.NewSpace(1 << 20)})
	if err != nil {
		fmt.Println(err)
		return
	}
	t := rollup.New("op")
	t.Add(&stats.Launch{Kernel: stats.Describe(&k), Stats: *s})
	if err := t.WriteTable(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// op     class    launches  static  issues  threads  lanes  off  divergent  transactions  bytes  conflicts
	// Nop    control         1       1       2       48  24.00    0          0             0      0          0
	// total                  1       1       2       48  24.00    0          0             0      0          0
}
