// Package debuginfo describes the functions, variables and types of a kernel for debuggers. [Read]
// takes them from DWARF, [Writer] makes DWARF of them, and a [Value] is a variable or a part of one
// in memory.
package debuginfo
