// Package simt is the multiprocessor: it runs the blocks of a launch, warp by warp, in
// the reference order, and says what happened.
//
// Reading order: launch.go (what a launch is), program.go and lower.go (a kernel made
// ready to run: decode once, lower once), run.go and workers.go (waves of blocks, over
// the host's cores), convoy.go (blocks that go together), table.go, front.go and control.go (where
// their warps stand and how they issue instructions), fork.go and through.go (short ways
// apart that are gone at once), block.go, file.go and operand.go (the state of a block and
// how operands become rows), then the exec_*.go files, one family of instructions each;
// livelock.go names kernels that would run for ever, stepwatch.go those that rely on
// lanes running in step; counters.go and parting.go say what is counted, observe.go who
// may watch. Divergence lives in simt/branch, 32-lane kernels in simt/lane, memory in
// simt/mem, static analysis in simt/cfg.
//
// Order. One multiprocessor takes blocks in waves. Within a wave, in rounds, every ready
// warp issues one instruction, lowest block and warp first. Warps that stand at one pc run
// straight on with one kernel call an instruction for all of them, which is that same order
// within a block; warps that went different ways run ahead where no other can notice, and
// meet again where their ways do. Blocks of a wave are interleaved only as finely as the
// launch's plan asks: see plan.go.
package simt
