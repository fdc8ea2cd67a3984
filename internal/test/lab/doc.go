// Package lab reads the programs of testdata/lab: small CUDA programs, wrong and right ones, that say
// in comments what a checker finds in them. README.md there describes the comments.
//
// Reading order: program.go, comment.go (the comments), together.go (one
// program of several), examine.go (what checkers found, held against the comments). The tests compile
// the programs and run them on the simulator, without checkers and with all.
package lab
