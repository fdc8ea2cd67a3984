// Package schedule runs the blocks of a launch, warp by warp, in the reference order: it says which
// warps go next, and leaves to an engine what they do, to a divergence policy where they go, and to
// a ledger what they count.
//
// Reading order: launch.go (what a launch is), run.go and workers.go (waves of blocks, over the
// host's cores; ahead.go, pool.go), convoy.go (blocks that go together) and block.go, table.go and
// front.go (where their warps stand, and how they go on), control.go (branches, markers, barriers),
// forks.go (short ways apart that are gone at once); raise.go and livelock.go (what goes wrong),
// instep.go, observe.go, record.go and notes.go (who is told), limits.go.
//
// Order. One multiprocessor takes blocks in waves. Within a wave, in rounds, every ready
// warp issues one instruction, lowest block and warp first. Warps that stand at one pc run
// straight on with one kernel call per instruction for all of them, which is that same order
// within a block; warps that went different ways run ahead where no other can notice, and
// meet again where their ways do. Blocks of a wave are interleaved only as finely as the
// program's plan asks: see program.Plan.
package schedule
