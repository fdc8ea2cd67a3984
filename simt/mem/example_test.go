package mem_test

import (
	"fmt"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// A warp adds 1 to the first 32 words of a buffer, then reads beyond its end.
func Example() {
	space := mem.NewSpace(1 << 20)
	base, err := space.Alloc(130)
	if err != nil {
		fmt.Println(err)
		return
	}

	var addr, one, old lane.Row
	for i := range addr {
		addr[i], one[i] = base+4*uint32(i), 1
	}
	space.Atomic(tesla.AtomAdd, tesla.U32, &addr, &mem.Data{&one}, nil, lane.All, &mem.Data{&old})
	b, _ := space.Bytes(base, 130)
	fmt.Println(old[31], b[124:])

	for i := range addr {
		addr[i] += 4
	}
	fmt.Println(space.Load(&mem.Data{&old}, &addr, lane.All, tesla.B32, nil))
	fmt.Println(mem.Transactions12(&addr, lane.All, 4))
	// Output:
	// 0 [1 0 0 0 0 0]
	// address out of range g[0x1080], lanes 80000000
	// {1 1 1}
}
