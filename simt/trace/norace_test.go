//go:build !race

package trace_test

// spareAllocations is how many more a recorded run of 10,000 issues may take.
const spareAllocations = 500
