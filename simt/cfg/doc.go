// Package cfg analyses the control flow of a decoded kernel without running it, for
// divergence policies that read the kernel first, and for people.
//
// [New] cuts the code into basic blocks and finds where every break and return leads, by
// following the token stack of a lane. The kernel and each of its subroutines become a
// [Function] with a flow graph of its own, in which a call is an edge to the next instruction. A
// function has the dominators and post-dominators of its blocks, its loops, and an order in which
// the blocks of a loop are consecutive. [Function.Frontiers] returns where lanes can wait,
// [Function.Structure] reads the graph as nested ifs and loops.
//
// Reading order: graph.go, tokens.go, build.go, problem.go; then dominators.go, loops.go,
// frontier.go and structure.go, in any order.
package cfg
