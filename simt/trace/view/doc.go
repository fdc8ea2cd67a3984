// Package view shows, compares, shortens and converts what package simt/trace recorded.
//
// Every function takes a [trace.File] and a [trace.Filter] that selects warp-instructions. Read
// show.go, then any other file.
package view
