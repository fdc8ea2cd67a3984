package driver_test

import (
	"encoding/binary"
	"fmt"
	"os"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// A CUDA program call by call: two vectors are added on an 8800 GTX.
func Example() {
	d := driver.New(driver.Config{Settings: knobs.Settings{Device: "8800gtx"}})
	cuda := d.Thread(1)
	check := func(err error) {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	check(cuda.Init(0))
	dev, err := cuda.DeviceGet(0)
	check(err)
	name, err := cuda.DeviceGetName(dev)
	check(err)
	ctx, err := cuda.CtxCreate(0, dev)
	check(err)
	module, err := cuda.ModuleLoad("testdata/vecadd_sm10.cubin")
	check(err)
	vecadd, err := cuda.ModuleGetFunction(module, "vecadd")
	check(err)

	const n = 4
	var ptr [3]driver.DevicePtr
	for i := range ptr {
		ptr[i], err = cuda.MemAlloc(4 * n)
		check(err)
		check(cuda.ParamSeti(vecadd, 4*i, uint32(ptr[i])))
	}
	check(cuda.MemsetD32(ptr[0], 0x40000000, n)) // 2
	check(cuda.MemsetD32(ptr[1], 0x3f800000, n)) // 1
	check(cuda.ParamSeti(vecadd, 12, n))
	check(cuda.ParamSetSize(vecadd, 16))
	check(cuda.FuncSetBlockShape(vecadd, 64, 1, 1))
	check(cuda.LaunchGrid(vecadd, 1, 1))
	check(cuda.CtxSynchronize())

	sum := make([]byte, 4*n)
	check(cuda.MemcpyDtoH(sum, ptr[2]))
	check(cuda.CtxDestroy(ctx))
	fmt.Printf("%s: %08x\n", name, binary.LittleEndian.Uint32(sum))
	// Output: GeForce 8800 GTX: 40400000
}
