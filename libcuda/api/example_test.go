package api_test

import (
	"fmt"
	"log"
	"os"

	"jacquard/libcuda/api"
)

// The older and the newer form of one call.
func ExampleTable_Variants() {
	table, err := api.Load(os.DirFS(".."))
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range table.Variants("cuMemAlloc") {
		fmt.Println(f.Since, f.Symbol, f.Params)
	}
	// Output:
	// 1.0 cuMemAlloc [CUdeviceptr_v1 *dptr unsigned int bytesize]
	// 3.2 cuMemAlloc_v2 [CUdeviceptr *dptr size_t bytesize]
}
