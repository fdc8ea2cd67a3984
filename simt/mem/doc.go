// Package mem is the memory of a Tesla multiprocessor: global memory with its atomics, shared
// memory with its locks, local and constant memory. Package texture reads textures through it.
//
// A call serves up to 32 lanes. An address is a row, one word per lane; data is up to four rows,
// low word first; a mask selects the lanes. The package knows nothing of warps, blocks or
// instructions.
//
// A call checks all its accesses before any has an effect: it completes, or returns a [Violation]
// and changes nothing. An access that reaches the slack of an allocation completes and returns a
// Violation, an Overrun. Lanes take effect in ascending order, so the highest lane wins when
// several store to one address. Idle lanes may hold any address. The rows of a load may alias its
// address row.
//
// The pattern of the addresses is classified once: it decides how data is moved and the cost of
// the access on hardware.
//
// Read data.go and violation.go for the vocabulary; survey.go, words_*.go and bytes.go for how 32
// addresses are checked and served, whole.go for accesses at the same time; cost.go and cost_*.go
// for their cost on hardware; then the spaces: space.go, global.go, shared.go, local.go,
// constant.go; atomic.go for atomics.
package mem
