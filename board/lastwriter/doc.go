// Package lastwriter finds the thread of a launch, and its instruction, that last wrote a piece of
// memory.
//
// [Find] observes a second run of the launch, on a copy of the memory before it. That is slow, and
// meant for a launch with an unexpected result.
package lastwriter
