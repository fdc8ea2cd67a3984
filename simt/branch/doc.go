// Package branch decides which lanes of a block run next: it owns the divergence policies and
// nothing else. Registers, memory and the counting of barriers belong to simt/machine and
// simt/schedule.
//
// Reading order: policy.go (Policy, which the schedule talks to), cohort.go (what a policy hands
// out), flow.go (Flow, the state of one warp), perwarp.go (flows made a policy), forks.go (what a
// policy can be told at once), kernel.go (what a policy reads of a kernel), lanes.go and frames.go
// (state that belongs to lanes), policies.go (the list). Every policy is one file and one entry
// of the list:
//
//	a rule over paths         paths.go       bfs dfs mimd stackless (and simty) tf_stack
//	a guide of a walk         walk.go        lorie sandybridge takahashi tf_sandy
//	masks of structured code  structured.go, structured_code.go    amd chap gma pomp
//	lanes of several warps    mixed.go       dwf tbc
//	a flow of its own         flow.go        barrier implicit nvidia (with tokens.go) pdom
//
// These are no packages of their own because the policies share the state of lanes: as packages
// they would export 66 names to each other, 20 of them constructors, and the list of policies
// would need a package besides. No file of one row uses a name of another row, except stackLimit.
//
// docs/divergence.md compares the policies, docs/glossary.md defines the words.
package branch
