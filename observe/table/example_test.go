package table_test

import (
	"fmt"
	"strings"

	"jacquard/observe/table"
)

// The row of two launches of one kernel has what both share.
func ExampleLead_Merge() {
	row := table.New("nvidia", "gtx280", "sm_13", "vecadd", 0, [2]int{16, 1}, [3]int{64, 1, 1})
	other := table.New("nvidia", "gtx280", "sm_13", "vecadd", 1, [2]int{32, 1}, [3]int{64, 1, 1})
	row.Merge(&other)
	fmt.Println(strings.Join(table.Names(), ","))
	fmt.Println(strings.Join(row.Cells(), ","))
	// Output:
	// policy,device,arch,kernel,launch,grid_x,grid_y,block_x,block_y,block_z
	// nvidia,gtx280,sm_13,vecadd,,,1,64,1,1
}
