// Package maze makes random kernels that are nothing but control flow, and holds the
// divergence policies against each other on them.
//
// A maze is a native kernel, made with the project's own encoder. Each thread carries a hash
// of everything it came through, decides its branches by it, and stores it on the way, so
// memory tells which way each thread went. Mazes are free of races: no policy may
// change what a thread does. [Check] runs one under every policy and compares memory, and
// the path of every lane, with what [Maze.Alone] finds by walking each thread alone.
//
// Reading order: maze.go (what a maze is), style.go and the writers it names: words.go
// (instructions), structured.go (as compilers write), knot.go (as nobody should); run.go and
// check.go, alone.go and paths.go (running and comparing), shrink.go (making a failure small); specimen.go
// has kernels written by hand, on which claims of the literature are measured.
package maze
