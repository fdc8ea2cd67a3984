// Package conformance holds an engine against the reference engine. Random and real kernels run on
// both, under every divergence policy and with every set of vector instructions: registers after
// every stretch of code, memory, faults and statistics must be equal. A new engine passes by
//
//	func TestConformance(t *testing.T) { conformance.Run(t, Compile) }
//	func FuzzConformance(f *testing.F) { conformance.Fuzz(f, Compile) }
//
// The flag -conformance says how many kernels of each kind run under each policy. [Whole] compares
// all engines on launches that other packages make.
//
// Reading order: run.go (the suite), launch.go (one launch), trail.go (an engine's states on the
// way), recorder.go (its recordings), mesa.go (real kernels), whole.go (launches of other packages).
// Package random writes the kernels.
package conformance
