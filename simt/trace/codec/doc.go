// Package codec is the format of .jqt files, as writer and reader share it. It knows neither a
// running simulator nor a file: it turns stretches and rows of values into parts of frames, and
// parts into [Step]s.
//
// An [Encoder] keeps one stream per warp. A stream has its stretches as control bytes, masks and
// values. The reader makes the same predictions as the writer, so a stretch that comes as predicted
// takes a fraction of a byte, and a row of values that goes on as before takes one.
//
// docs/trace-format.md describes the format byte by byte. Read format.go and kernel.go for the
// frames, predict.go for what is predicted, rows.go, warpstream.go and encoder.go for the writer,
// decoder.go for the reader, and limits.go for what a reader refuses.
package codec
