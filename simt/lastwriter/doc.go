// Package lastwriter finds the thread of a launch, and its instruction, that wrote a piece of
// memory last.
//
// [Find] runs the launch again on a copy of the memory that it began with, and observes it. That is
// slow, and meant for the one launch that left something unexpected.
package lastwriter
