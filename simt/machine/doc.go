// Package machine is the state of a multiprocessor's blocks: registers, flags, address registers,
// shared and local memory, and faults. It knows no schedule: neither where warps are nor which warp
// issues next.
//
// Reading order: state.go (State, its registers and its blocks), fault.go (what a kernel does
// wrong), overrun.go (accesses into an allocation's slack), hook.go (listeners to accesses).
package machine
