// Package code turns Tesla instructions with virtual registers into machine code: the last third of
// the compiler. It allocates registers, announces where divergent lanes meet again, orders the
// blocks, and chooses encodings.
//
// A [Func] is basic blocks of instructions that name virtual registers. It is not in SSA form:
// phis are copies already. [Compile] runs all passes, [Passes] lists them for callers that print in
// between.
//
// Reading order:
//
//   - code.go: what a function is; operands.go: what an instruction reads and writes; print.go:
//     text; verify.go: what the passes expect; pass.go: the passes in order.
//   - graph.go: dominators and loops; bits.go: sets; clean.go: jumps and blocks that are not
//     needed.
//   - flags.go: comparisons with zero that an earlier instruction makes; convert.go: guards in the
//     place of branches; literals.go: immediates that become constants; first.go: guarded
//     instructions that keep nothing.
//   - isolate.go: operands of several registers get registers of their own where they must;
//     live.go, ranges.go: when registers hold values; group.go, coalesce.go: registers that are
//     allocated together; allocate.go, place.go: physical registers.
//   - spill.go: what leaves the registers; rematerialise.go, home.go: where it goes; rewrite.go,
//     spillcopies.go: the instructions that take it there and back.
//   - assign.go, parallel.go: physical registers in instructions, copies one after the other.
//   - together.go: where lanes must be together, and the proof that they are; dispatch.go: how they
//     get together elsewhere.
//   - structure.go: joins; ends.go: where the lanes of a branch meet; preheaders.go: blocks for that;
//     wide.go: joins around several branches; breaks.go: loops that lanes leave by breaks;
//     trylock.go: loops that wait for a lock.
//   - layout.go: the order of blocks; host.go: which instructions carry joins.
//   - emit.go, encode.go: words.
package code
