// Package branch decides which lanes of a block run next: it owns the divergence
// policies and nothing else. Registers, memory and barriers' counting belong to simt.
//
// Reading order: Policy in policy.go is what the multiprocessor talks to; Flow in
// flow.go is what a scheme that acts within one warp implements; perwarp.go turns a
// Flow into a Policy, tokens.go does so for the default scheme, nvidia; forks.go is what some
// policies can be told of at once; every scheme is one file and one entry in policies.go. Schemes that
// keep a list of paths share paths.go and differ in a rule; those that walk through the code with a
// pc for each lane share walk.go and differ in a guide; those of structured code share
// structured.go and structured_code.go and differ in how they keep masks; frames.go and standing.go hold
// the addresses that lanes return to and the lanes that wait at barriers. kernel.go is what a
// scheme may read of a kernel beforehand, order.go and postdom.go what some make of it.
//
// Many files: one for each policy.
//
// docs/divergence.md compares the schemes, docs/glossary.md defines the words.
package branch
