// Package player writes a page that plays warps: the lanes of each step, the code, what the divergence
// policy keeps, and the values and memory accesses that a trace has. Up to four traces stand side by
// side, of one kernel under several policies.
//
// The page is one file that fetches nothing. Read run.go (what the page gets of a trace), memory.go
// (what accesses cost, in words) and page.go; assets has the page's script and style.
package player
