// Package count holds the statistics of a launch and counts them.
//
// Reading order: stats.go (the statistics of one launch, in total and by instruction), ledger.go
// (the sums while a launch runs), meter.go (counts issues and branch outcomes into a ledger) and
// parting.go (how lanes of a warp part and meet).
package count
