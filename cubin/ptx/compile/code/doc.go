// Package code is machine code on the way to its final form: Tesla instructions whose registers are
// still virtual, in basic blocks.
//
// Reading order: code.go.
package code
