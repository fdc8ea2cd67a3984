// Package watch is how listeners look at a launch, and what they are told. Listeners change nothing:
// a launch leaves the same memory and the same statistics with them and without.
//
// Reading order: block.go (the read-only view of a block), observe.go (Observer: every issue as it
// happens), record.go (Recorder: the same at the engine's pace), tee.go
// (several as one).
package watch
