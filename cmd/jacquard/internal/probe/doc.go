// Package probe makes jobs for the driver API that find out what a device does: what an instruction
// computes on given operands, as rows of a vector file, and what settles a point that nobody has
// verified, as probes with names.
//
// A job is a [bundle.Launch] whose kernel is assembled here. A [Board] runs it: [replay.Engine] on
// the simulator, [Real] on another libcuda. Reading order: board.go, cubin.go, vectors.go; then
// probe.go and answer.go (probes with names), asm.go (what they are written in) and the files
// list_*.go, which have them by subject.
package probe
