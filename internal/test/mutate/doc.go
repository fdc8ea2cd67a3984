// Package mutate tests readers of files with random changes that leave checksums right. It is for
// tests only.
//
// The flag -mutations sets the number of changed files per format; "make soak" asks for 100,000.
package mutate
