package carrier_test

import (
	"fmt"

	"jacquard/cubin/carrier"
)

func ExampleFind() {
	found, err := carrier.Find([]byte("architecture {sm_12}"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range found.Modules {
		for _, e := range m.Contents.Entries {
			fmt.Println(m.Contents.Container, e.Target())
		}
	}
	// Output: text cubin sm_12
}
