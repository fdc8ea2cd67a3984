// Package flowchart draws the control flow of kernels: every basic block with its
// instructions, the ways between blocks, loops, and where the two sides of a branch meet.
//
// [WriteSVG] makes a picture that needs no other program, with a layout in layers: each
// block stands below those that lead to it, but for loops. [WriteDOT] leaves the layout to
// Graphviz. [WriteInline] makes a picture of one function for a page, which says what its
// blocks show and how they look. Reading order: chart.go is what all draw; then dot.go, or
// layers.go, place.go, svg.go and inline.go.
package flowchart
