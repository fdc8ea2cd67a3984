//go:build !race

package driver_test

// watched says that the race detector is at work, which has memory of its own.
const watched = false
