// Package mutate tests readers of files with files that were changed at random behind their
// checksums. It is for tests only.
//
// The flag -mutations says how many there are of each format; "make soak" asks for 100,000.
package mutate
