// Package count is what a launch's statistics are and how they are counted.
//
// Reading order: stats.go (what one launch counted, in total and by instruction), outcomes.go
// (where branches went), memory.go (what accesses cost), operands.go, exactness.go (how certain the
// results are); then ledger.go (the sums while a launch runs), meter.go (what counts into a ledger
// as warps issue) and parting.go (how lanes of a warp part and meet).
package count
