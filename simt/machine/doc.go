// Package machine is the state of a multiprocessor's blocks: registers, flags, address registers,
// shared and local memory, and what an instruction did wrong. It knows no schedule: where warps
// stand, and who goes next, is no part of it.
//
// Reading order: state.go (State, and what its blocks and the launch share), file.go (registers),
// fault.go and raise.go (what a kernel does wrong), overrun.go (accesses into an allocation's
// slack), hook.go (who is told of accesses).
package machine
