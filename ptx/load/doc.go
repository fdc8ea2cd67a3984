// Package load makes machine code of PTX, where a file or a fat binary holds no other: [Compile]
// takes a text, [Entry] one form of a module, and [Latest] chooses the form that a
// device takes.
package load
