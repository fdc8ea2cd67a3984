// Package view shows, compares, shortens and converts traces of package observe/trace.
//
// Every function takes a [trace.File] and a [trace.Filter] that selects warp-instructions. Read
// show.go, then any other file.
package view
