// Package schedule runs the blocks of a launch in the reference order: it decides which warps issue
// next. An engine executes their instructions, a divergence policy decides where their lanes go,
// and a ledger counts.
//
// Reading order: launch.go (a launch, its settings and limits), run.go and workers.go (waves of
// blocks on the cores of the host; pool.go), block.go and convoy.go (blocks that run together),
// table.go and front.go (positions of warps, and how the front moves), issuer.go (one call of the
// engine, for several blocks), control.go and barriers.go (control instructions), forks.go (short
// divergent code, run as a whole); livelock.go; observe.go and notes.go (listeners).
//
// Order. One multiprocessor takes blocks in waves. Within a wave, in rounds, every ready warp
// issues one instruction, lowest block and warp first. Warps at one pc run straight on with one
// kernel call per instruction for all of them, which is the same order within a block. Warps at
// different pcs run ahead through instructions that are not visible, and meet again where their
// code does. Blocks of a wave are interleaved only as finely as the program's plan asks
// (program.Plan).
package schedule
