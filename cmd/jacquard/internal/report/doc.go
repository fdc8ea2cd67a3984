// Package report makes a page about a run: one HTML file that needs nothing else, from what a
// statistics file holds.
//
// [Read] sums up the launches of a run, kernel by kernel; [Report.Write] writes the page. Every number on it comes
// from the file, or is a sum or a quotient of such. A trace of the run adds a timeline.
//
// Reading order: report.go is what is known of a run, kernel.go of a kernel; view.go and the files behind it say how
// that is shown, listing.go and graph.go the code; page.go puts it together. The page itself is in assets: templates, style and
// script, written by hand.
package report
