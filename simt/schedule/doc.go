// Package schedule runs the blocks of a launch in the reference order: it decides which warps issue
// next. An engine executes their instructions, a divergence policy decides where their lanes go,
// and a ledger counts.
//
// Reading order: launch.go (a launch, its settings and limits), grid.go and run.go (waves of
// blocks), workers.go, firstslice.go, wave.go and pool.go (the cores of the host), block.go (a
// block and its slices), turn.go (the turn of a warp), front.go (where it is), runon.go (code that
// the policy need not be told of), relay.go (turns that an engine takes by itself), control.go,
// barriers.go, missed.go and fork.go (events for the policy), mixed.go (policies that mix warps);
// livelock.go and together.go (waves that wait for ever); observe.go, notes.go and late.go
// (listeners).
//
// Order. One multiprocessor takes blocks in waves. The blocks of a wave run in slices, lowest block
// first: of 65,536 rounds each or, if the plan of the program says that their order matters
// (program.Plan), of one turn.
//
// Every warp has a time: the instructions that it issued, and the rounds that it waited at
// barriers. A block runs in turns of 1,024 rounds, or of one. In the turn that ends at time T,
// each ready warp that has not reached T has its turn, lowest warp first, as often as barriers
// make warps ready. A warp's turn ends before a control instruction that it comes to at time T or
// later. Straight-line code is cut only where turns are of one instruction (Launch.Order); else a
// warp may be ahead of T by the rest of its straight-line code. A warp's turn also ends at a
// barrier and with the warp. Before the first barrier, the first turn of each warp ends before an
// instruction that overwrites (program.Flow.Overwrites), also in straight-line code, and goes on
// in the next pass: other warps read before. A fault ends the block at once. The first turn after
// a barrier ends 32 rounds after it opened (engine.BriefRounds).
//
// While the schedule looks at a wave for livelock, turns are of one round. Policies that mix warps
// choose each issue by themselves.
package schedule
