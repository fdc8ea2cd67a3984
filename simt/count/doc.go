// Package count is what a launch's statistics are and how they are counted.
//
// Reading order: stats.go (what one launch counted, in total and by instruction), ledger.go (the sums
// while a launch runs), meter.go (counts issues and branch outcomes into a ledger) and parting.go
// (how lanes of a warp part and meet).
package count
