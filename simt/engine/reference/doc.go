// Package reference is the scalar engine: one instruction, one warp, one lane at a time, in the
// words of docs/isa. Tests, verify and the conformance suite compare every other engine with it. It
// is slow.
//
// The package works from decoded instructions. From the lowered form it takes guards, refusals and
// the slots of counts, on which schedule and engines agree. It shares no arithmetic with simt/lane
// and no accesses with simt/mem, except the locks of shared memory. simt/mem prices its accesses.
//
// Reading order: reference.go (the engine), step.go (one instruction), thread.go (the state of a
// thread), source.go (operands), operation.go (arithmetic) with one file per family, memory.go and
// element.go (loads and stores), atomic.go, lock.go, texture.go, control.go, price.go, start.go
// (the state of a block at its start).
package reference
