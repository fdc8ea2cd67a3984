// Package report writes a page about a run: one self-contained HTML file, made from a statistics
// file.
//
// [Read] sums up the launches of a run by kernel; [Report.Write] writes the page. Every number on
// it comes from the file, or is a sum or a quotient of such numbers. A trace of the run adds a
// timeline.
//
// Reading order: report.go sums up a run, kernel.go and memory.go a kernel; view.go and hotspots.go
// choose what to show of a kernel, listing.go and graph.go show its code, timeline.go the trace;
// chart.go and ramp.go draw and colour; page.go writes the page. Templates, style and script are in
// assets.
package report
