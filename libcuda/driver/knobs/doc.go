// Package knobs owns what a user can set of the driver. Each knob is an environment variable of the
// library and a flag of the tool.
//
// The table knobs.csv becomes knobs_gen.go by `go generate`: [Settings] has one text per knob,
// [All] describes them. [From] reads an environment, and [Settings.Parse] checks the texts and
// understands them. A program with more rights than its user (AT_SECURE) has no knobs, because the
// user must not choose what such a program reads or writes: its environment is one in which [From]
// finds nothing.
package knobs
