// Package bind tells which libcuda a program would bind to, and why, without running it.
//
// [Examine] reads a program as the dynamic loader would: the libraries that it links, the names in
// it for opening at run time, and the folders that the loader searches. Reading order: report.go
// (the result), program.go and code.go (one ELF file and its device code), search.go, cache.go and
// closure.go (the loader's search order, and all objects that it loads), source.go (where to get a
// missing library), library.go (the simulator's library), runtime.go (its runtime libraries),
// system.go (the machine's own), examine.go (the verdict).
package bind
