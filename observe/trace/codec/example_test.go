package codec_test

import (
	"fmt"
	"slices"

	"jacquard/decoder"
	"jacquard/observe/trace/codec"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// A part of three issues is encoded and decoded.
func Example() {
	words := []uint32{
		0x20000409, 0x04008780, // add b32 $r2 $r2 $r2
		0xf0000001, 0xe0000001, // exit
	}
	k := &codec.Kernel{Name: "k", Code: decoder.Kernel(tesla.SM13, words)}
	k.Values = [][]codec.Slot{{{Kind: codec.Register, Number: 2}}, nil}
	k.Decides = make([]bool, len(k.Code))
	k.Prepare()

	e := new(codec.Encoder)
	e.Start(k, 7, false, 0)
	e.Add(1, &codec.Stretch{Time: 3, From: 0, To: 2, Active: 0xff, Executed: 0xff})
	row := lane.Row{0, 4, 8, 12, 16, 20, 24, 28}
	e.Stream(1).Row(0, 0, &row, 0xff)
	part := e.Take(codec.NewBuffers())
	payload, frame := codec.AppendParts(nil, nil, []codec.Part{part}, codec.NewBuffers())
	fmt.Println(len(payload), "bytes,", len(frame), "of words")

	h := codec.Header{Block: 7, Warps: 1 << 1, Count: 2}
	why := h.Parts(payload, frame, func(p codec.StoredPart) {
		var d codec.Decoder
		d.Start(&p, k, 1<<1, nil)
		for {
			ok, _ := d.Next()
			if !ok {
				return
			}
			s := &d.Step
			fmt.Printf("%d w%d %02x %v", s.Time, s.Warp[0], s.Active[0], k.Code[s.Index])
			for _, v := range s.Values {
				fmt.Print("  ", v.Name(), "=", slices.Clone(v.Row[:8]))
			}
			fmt.Println()
		}
	})
	fmt.Print(why)
	// Output:
	// 27 bytes, 0 of words
	// 3 w1 ff add b32 $r2 $r2 $r2  $r2=[0 4 8 12 16 20 24 28]
	// 4 w1 ff exit (never) nop
}
