// Package flowgraph has the dominators of a flow graph: of machine code (simt/cfg) and of the
// compiler's forms of a kernel.
//
// A graph is a list of successors by node. Post-dominators are the dominators of the reversed
// graph, from a node that all ends lead to.
package flowgraph
