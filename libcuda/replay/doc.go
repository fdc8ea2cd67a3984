// Package replay runs the launches of a bundle again and compares their memory with the bundle.
//
// A [Runner] runs one launch: an [Engine] does on the simulator, with memory where the recorded
// program had it; a [OtherDriver] on another libcuda, where memory has other addresses. [Run] takes
// a bundle through a runner and reports every launch that went otherwise. Reading order: run.go,
// compare.go, engine.go, texture.go; then move.go (memory elsewhere), pointers.go (which words are
// addresses), otherdriver.go.
package replay
