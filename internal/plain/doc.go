// Package plain prints text that comes from files. A name in a cubin, a bundle or a trace may hold
// any character, and a terminal obeys some: control characters move the cursor or set the title,
// bidirectional ones reverse the text around them, others are invisible.
//
// [Text] writes such characters as JSON does, \u001b; every print of a file's text goes through it.
// [Writer] covers the whole output of a program, [Fprintf] lines and tables with names in them.
package plain
