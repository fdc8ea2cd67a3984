// Package blame finds out who wrote a piece of memory: which thread of a launch, with which instruction.
//
// [Find] runs a launch again on a copy of the memory that it found, and watches. That is slow, and meant for the one
// launch that left something unexpected.
package blame
