package flowchart_test

import (
	"fmt"
	"os"

	"jacquard/decoder"
	"jacquard/observe/flowchart"
	"jacquard/simt/cfg"
	"jacquard/tesla"
)

func ExampleWriteDOT() {
	code := []uint32{
		0x10000003, 0x00000280, // 00: (lg $c0) bra 0x0
		0xf0000001, 0xe0000001, // 08: exit (never) nop
	}
	g, err := cfg.New(decoder.Kernel(tesla.SM10, code))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := flowchart.WriteDOT(os.Stdout, []flowchart.Kernel{{Name: "wait", Graph: g}}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// digraph kernels {
	// 	graph [bgcolor=white, fontname="sans-serif", labeljust=l]
	// 	node [shape=box, style=filled, fillcolor=white, fontname=monospace, fontsize=10]
	// 	edge [fontname="sans-serif", fontsize=10]
	// 	subgraph cluster_0 {
	// 		label="wait\l2 blocks, 1 loop\lstructured: ifs and loops only\l"
	// 		n0_0 [label="0x0 · loop, depth 1 · parts, meets at 0x8\l0000  (lg $c0) bra 0x0\l", color="#e0a800", penwidth=2]
	// 		n0_1 [label="0x8\l0008  exit (never) nop\l"]
	// 		n0_2 [label="exit", style=rounded]
	// 		n0_0 -> n0_1 [color="#5f6b7a", penwidth=1, label="fall through"]
	// 		n0_0 -> n0_0 [color="#1f6fd1", penwidth=2, label="taken"]
	// 		n0_1 -> n0_2 [color="#5f6b7a", penwidth=1, label="exit"]
	// 	}
	// }
}
