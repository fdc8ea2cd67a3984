//go:build !race

package driver_test

// watched says that the race detector runs, which takes memory of its own.
const watched = false
