// Package player writes a page that plays warps: the lanes of each step, the code and its flow graph,
// what the divergence policy keeps, registers, and memory accesses with their cost, as far as a trace
// has them. Up to four traces stand side by side, of one kernel under several policies.
//
// The page is one file that fetches nothing. Its steps are in pieces, which the page's script inflates
// when it shows them: a trace of many millions of steps opens at once, and Go writes it without
// holding it. Reading order: page.go (the parts of a page), run.go (a trace becomes pieces), piece.go
// and index.go (their forms), code.go and memory.go (what the page says of an instruction and of an
// access); assets has the script, which reads the same forms in bytes.js and track.js; findings.go (a
// player on a page of findings).
package player
