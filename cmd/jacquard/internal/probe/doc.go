// Package probe makes jobs for the driver API that find out what a device does: what an instruction computes on given
// operands, as rows of a vector file.
//
// A job is a [bundle.Launch] whose kernel is assembled here. A [Board] runs it: [replay.Engine] on the simulator, [Real] on
// another libcuda. Reading order: board.go, cubin.go, vectors.go.
package probe
