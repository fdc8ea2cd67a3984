// Package expr has the expressions of the debugger: C's operators over integers, floating-point
// numbers and pointers into the device's memory, registers as $r3, and names that the caller knows.
//
// Reading order: value.go (values and types), parse.go (text to a tree), eval.go (a tree to a
// value), format.go (a value to text).
package expr
