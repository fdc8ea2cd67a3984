// Package simt is the multiprocessor: Lower makes a decoded kernel ready to run, Run carries out a
// launch of it and says what happened.
//
// The package is a door. Its rooms, each of which knows those before it alone:
//
//	lane            32 lanes at a time: rows, masks, kernels
//	mem             memory spaces, atomics, textures
//	cfg             control flow graphs
//	branch          divergence policies: where the lanes of a warp go
//	program         lowered code, which anybody may read
//	machine         registers and memory of blocks; knows no schedule
//	engine          the interface to what executes straight code; engine/interp does
//	watch           observers and recorders
//	check           checkers, made of hooks
//	count           statistics
//	schedule        which warps go next
//
// Around it: trace and stats (files), tags and lastwriter (listeners), maze (random kernels).
package simt
