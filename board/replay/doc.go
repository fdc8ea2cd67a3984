// Package replay runs the launches of a bundle again and compares their memory with the bundle.
//
// A [Runner] runs one launch: an [Engine] on the simulator, with memory at the recorded addresses;
// an [OtherDriver] on another libcuda, where memory has other addresses. [Run] replays a bundle
// with a runner and reports every launch that differs. Reading order: run.go, compare.go,
// engine.go, texture.go, check.go (mistakes of the kernels); then move.go (other addresses),
// pointers.go (which words are addresses), otherdriver.go.
package replay
