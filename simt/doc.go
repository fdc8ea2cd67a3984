// Package simt is the multiprocessor: Lower makes a decoded kernel ready to run, Run runs a launch of
// it and returns what it counted.
//
// The package is a door to its rooms. Each room imports only rooms above it in this list:
//
//	lane            32 lanes at a time: rows, masks, kernels
//	mem             memory spaces, atomics, textures
//	cfg             control flow graphs
//	branch          divergence policies: where the lanes of a warp go
//	program         lowered code: plain data
//	machine         registers and memory of blocks
//	engine          the interface of an engine, which executes straight code; engine/interp is one
//	watch           observers and recorders
//	check           checkers, made of access hooks
//	count           statistics
//	schedule        which warps issue next
//
// Around it: trace and stats (files), tags and lastwriter (listeners), maze (random kernels).
package simt
