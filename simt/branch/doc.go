// Package branch decides which lanes of a block run next: it owns the divergence policies and
// nothing else. Registers, memory and the counting of barriers belong to simt/machine and
// simt/schedule.
//
// Reading order: policy.go (Policy, which the schedule talks to, and its cohorts), flow.go (Flow,
// the state of one warp, and how flows become a policy), forks.go (what a policy can be told later
// or at once), kernel.go (the kernel as a policy sees it), lanes.go (state that belongs to lanes),
// narrow.go (warps of fewer than 32 lanes), state.go (the state of a policy, to be shown),
// policies.go (the list). A policy is a file and an entry of the list:
//
//	a rule over paths         paths.go       rules.go merging.go stackless.go predict.go
//	                                        tf_stack.go
//	a guide of a walk         walk.go        lorie.go sandybridge.go takahashi.go tf_sandy.go
//	masks of structured code  structured.go  amd.go chap.go gma.go pomp.go structured_whole.go
//	lanes of several warps    mixed.go       dwf.go tbc.go
//	a flow of its own         flow.go        barrier.go implicit.go nvidia.go pdom.go
//
// No file of one row uses a name of another row, except stackLimit. The rows are no packages,
// because all of them use the state of lanes: they would export some eighty names to each other and
// to the list, which would need a package of its own.
//
// docs/divergence.md compares the policies, docs/glossary.md defines the words.
package branch
