// Package sinks writes down what launches do, in files that knobs name: a trace, a bundle, a
// summary, statistics. Each is a [Sink], in a file of this package, and [OpenTrace] and the like
// open it. They return nil if the knob asks for nothing.
package sinks
