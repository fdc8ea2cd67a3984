// Package probe makes jobs for the driver API that find out how a device behaves. Rows of a vector
// file ask what an instruction computes on given operands; probes with names settle the points that
// are marked unverified.
//
// A job is a [bundle.Launch] whose kernel is assembled here. A [Board] runs it: [replay.Engine] on
// the simulator, [Real] on another libcuda. Reading order: board.go, cubin.go, vectors.go; then
// probe.go and answer.go (probes with names), asm.go (their instructions) and the files
// list_*.go, which have them by subject.
package probe
