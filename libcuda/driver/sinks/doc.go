// Package sinks writes launches to the files that knobs name: a trace, a bundle, a summary,
// statistics. Each is a [Sink] in a file of its own here, opened by [OpenTrace] and the like. They
// return nil if the knob is off.
package sinks
