// Package cfg analyses the control flow of a decoded kernel without running it, for
// divergence policies that want to know beforehand what lanes can do, and for people.
//
// [New] cuts the code into basic blocks and finds out where every break and return leads,
// by following what a lane meets on the token stack. The kernel and each of its
// subroutines become a [Function] with a flow graph of its own, in which a call is an
// edge to the instruction behind it. A function knows the dominators and post-dominators
// of its blocks, its loops, and an order in which the blocks of a loop stand together.
// [Function.Frontiers] says where lanes can wait, [Function.Structure] reads the graph as
// nested ifs and loops.
//
// Reading order: graph.go, tokens.go, build.go, problem.go; then dominators.go, loops.go,
// frontier.go and structure.go, in any order.
package cfg
