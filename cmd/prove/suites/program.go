package main

import "strings"

// suite is a collection of programs in one folder.
type suite struct {
	name, title string
	folder      string   // of its sources; "" if it is not here
	cutil       string   // folder of the SDK, for the helpers of its programs
	options     []string // of nvcc, for all its programs
	common      []string // sources of a library that all its programs link
	programs    []*program
	library     func() ([]string, error) // builds common, once
}

// program tells how to build, run and judge a program of a suite. Paths of sources are relative to
// dir; "@", "@sdk/" and "@own/" in front of a path stand for the folders of the suite, of the SDK
// and of our own sources.
type program struct {
	name     string
	required bool
	dir      string   // of its sources, below the suite's folder
	sources  []string // nil: those that its Makefile names
	options  []string // of nvcc
	files    []string // of dir, or of the suite's folder if "@" precedes, that a run needs beside it
	at       string   // the folder of its run, below its folder
	empty    []string // headers that it includes and does not use
	margin   bool     // reads a little outside of its arrays
	inputs   input
	args     []string
	env      []string
	keys     string // the input of its user
	host     *host
	proof    proof
}

// host is a version of a program for the CPU, from the same suite.
type host struct {
	dir     string
	sources []string
	options []string // of the host compiler
	args    []string // nil: those of the program
}

// suites returns all suites.
func suites() []*suite { return []*suite{sdk(), rodinia(), ispass()} }

// list returns the words of a text.
func list(words string) []string { return strings.Fields(words) }
