// Package bind tells which libcuda a program would bind to, and why, without running it.
//
// [Examine] reads a program as the dynamic loader would: what it links, what names it has
// inside for opening at run time, and where the loader looks for them. Reading order:
// report.go (what there is to say), program.go (what an ELF file says of itself),
// search.go, cache.go and closure.go (the loader's search order, and everything that it loads),
// source.go (where one gets what it does not find), library.go (the simulator's library),
// examine.go (the judgement).
package bind
