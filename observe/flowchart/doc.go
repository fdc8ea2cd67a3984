// Package flowchart draws the control flow of kernels: every basic block with its
// instructions, the ways between blocks, loops, and where the two sides of a branch meet.
//
// [WriteSVG] makes a picture that needs no other program, with a layout in layers: each
// block is below the blocks that lead to it, except in loops. [WriteDOT] leaves the layout to
// Graphviz. [WriteInline] makes a picture of one function for a page, which decides what its
// blocks show and how they look. Reading order: chart.go (what all three draw); then dot.go, or
// layers.go, place.go, svg.go and inline.go.
package flowchart
