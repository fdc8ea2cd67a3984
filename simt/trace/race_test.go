//go:build race

package trace_test

// spareAllocations is how many more a recorded run of 10,000 issues may take: under the race detector pools lose
// what they are given now and then.
const spareAllocations = 2500
