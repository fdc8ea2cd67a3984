// Package knobs owns the user's settings of the driver. Each knob is an environment variable of the
// library and a flag of the tool.
//
// `go generate` makes knobs_gen.go of the table knobs.csv: [Settings] has one text per knob, [All]
// describes them. [From] reads an environment, [Settings.Parse] checks and parses the texts, and
// [Settings.Outputs] parses the knobs that name output files of launches. For a program with more
// rights than its user (AT_SECURE), [From] finds nothing: the user must not choose what such a
// program reads or writes.
package knobs
