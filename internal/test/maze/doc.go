// Package maze makes random kernels that are nothing but control flow, and compares the
// divergence policies on them.
//
// A maze is a native kernel, written with package asm. Each thread carries a hash of all
// instructions it came through, decides its branches by the hash, and stores it on the way, so
// memory shows the way of each thread. Mazes have no races: no policy may change what a thread
// does. [Check] runs a maze under every policy and compares memory, and the path of every lane,
// with what [Maze.Alone] finds by walking each thread alone.
//
// Reading order: maze.go (what a maze is); style.go, words.go (instructions), structured.go (code
// as compilers write it), knot.go (branches to anywhere); run.go, policies.go, check.go, alone.go,
// paths.go and steps.go (running and comparing); rules.go, forecast.go, implicit.go, lists.go and
// stroll.go (the issues that follow from the rules of a policy); packed.go (how full warps are);
// shrink.go (making a failure small); byhand.go (kernels written by hand, on which claims of the
// literature are measured).
package maze
