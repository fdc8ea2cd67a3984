// Package watch defines listeners and their view of a launch. Listeners change nothing: a launch
// leaves the same memory and the same statistics with them and without. A BlockDebugger alone may
// change registers and memory.
//
// Reading order: block.go (the read-only view of a block), observe.go (Observer: every issue as it
// happens), record.go (Recorder: the same at the engine's pace), tee.go (several listeners as one).
package watch
