package texture_test

import (
	"fmt"
	"math"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
)

// A row of four bytes is read at integer coordinates, then between the first and second texel.
func Example() {
	x := texture.Texture{
		Kind: texture.Array, Format: texture.FormatU8, Channels: 1, Width: 4,
		Texels: []byte{0, 255, 0, 255}, Sampler: texture.Sampler{Filter: true},
	}
	space := mem.NewSpace(1 << 20)
	var at, got lane.Row
	for i := range at {
		at[i] = uint32(i)
	}
	x.Fetch(space, &texture.Coords{Rows: [4]*lane.Row{&at}}, 0xf, &mem.Data{&got})
	for _, v := range got[:4] {
		fmt.Print(math.Float32frombits(v), " ")
	}
	at[0] = math.Float32bits(1)
	x.Sample(space, &x.Sampler, &texture.Coords{Rows: [4]*lane.Row{&at}}, 1, &mem.Data{&got})
	fmt.Println(math.Float32frombits(got[0]))
	// Output: 0 1 0 1 0.5
}
