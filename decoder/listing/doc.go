// Package listing prints the machine code of a kernel for people.
//
// [Write] is what "jacquard dis FILE" shows; [Targets] finds the places code jumps to.
package listing
