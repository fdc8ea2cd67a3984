// Package selection chooses machine instructions for the values of a kernel, with virtual
// registers. Blocks and values are visited from the last to the first, so that a value knows, when its
// turn comes, whether its users took it into their own instructions.
//
// Reading order: selection.go, block.go, operand.go, pattern.go, integer.go, predicate.go, float.go,
// convert.go, memory.go, special.go.
package selection
