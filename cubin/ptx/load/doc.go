// Package load makes machine code of PTX, where a file or a fat binary holds no other: [Compile]
// takes a text, [Entry] one form of a module, [Contents] whatever a file holds.
//
// Drivers and tools read files through this package, so that PTX does wherever a cubin does.
package load
