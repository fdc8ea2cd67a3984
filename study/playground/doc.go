// Package playground runs one kernel for a page in a browser: text of assembly or PTX in, memory,
// statistics, mistakes and the player's page out. It is plain Go; cmd/playground compiles it for
// browsers.
//
// A [State] is the content of a page: a test of package job whose build is a text, and the
// policies to run it under. [State.Check] finds mistakes and lists the code, [State.Run] runs it,
// and [State.Play] makes the page that plays its warps. Package page makes the page itself.
package playground
