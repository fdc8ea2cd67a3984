// Package report makes a page about a run: one HTML file that needs nothing else, from what a
// statistics file holds.
//
// [Read] sums up the launches of a run, kernel by kernel; [Report.Write] writes the page. Every
// number on it comes from the file, or is a sum or a quotient of such. A trace of the run adds a
// timeline.
//
// Reading order: report.go is what is known of a run, kernel.go and memory.go of a kernel; view.go
// and hotspots.go say what is shown of it, listing.go and graph.go its code, timeline.go the trace;
// chart.go and ramp.go draw and colour; page.go puts it together. The page itself is in assets:
// templates, style and script, written by hand.
package report
