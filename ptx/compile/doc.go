// Package compile turns PTX into Tesla machine code.
//
// A kernel goes through four forms: the tree of package ptx, static single assignment (package ir,
// made by build and improved by optimize), instructions with virtual registers (package code, made
// by selection), and words.
//
// Reading order: compile.go, passes.go, layout.go, content.go, resolve.go, lines.go, errors.go.
package compile
