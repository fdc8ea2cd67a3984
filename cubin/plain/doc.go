// Package plain prints text that comes from files. A name in a cubin, a bundle or a trace may hold
// anything, and a terminal obeys what it is sent: control characters move the cursor or set the
// title, bidirectional ones reverse what stands around them, others do not show.
//
// [Text] writes such characters as JSON does, \u001b; everything of the module that prints goes
// through it. [Writer] is for all that a program prints, [Fprintf] for lines and tables with names
// in them.
package plain
