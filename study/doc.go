// Package study reads study files: a matrix of runs of the tool, as one TOML file. A [Study] knows
// its cells by number, and makes each [Cell] when it is asked for, so that a million cells cost no
// memory. The name of a cell follows from its own settings and from nothing else in the file.
//
// docs/sweep.md describes the file. Reading order: file.go, study.go, matrix.go, values.go, cell.go.
package study
