// Package options reads command lines of NVIDIA's tools: options with one dash or two, with values
// after "=", a space or nothing at all, and lists.
//
// A [Tool] describes its options in a [Table]. [Tool.Parse] gives them back in the order of the
// command line, under their long names, or prints the help or the version. [Split] and [Words] take
// lists and quoted words apart, [Arch] reads the name of an architecture.
//
// Reading order: table.go, parse.go, tool.go, words.go, help.go.
package options
