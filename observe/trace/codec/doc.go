// Package codec is the format of .jqt files, shared by writer and reader. It knows neither a
// running simulator nor a file: it turns stretches and rows of values into parts of frames, and
// parts into [Step]s.
//
// An [Encoder] keeps one stream per warp. A stream holds its stretches as control bytes, masks and
// values. Reader and writer make the same predictions, so a stretch that matches its prediction
// takes a fraction of a byte, and a row of values that continues as predicted takes one byte.
//
// docs/trace-format.md describes the format byte by byte. Read format.go and kernel.go for the
// frames, predict.go for the predictions, rows.go, warpstream.go and encoder.go for the writer,
// decoder.go for the reader, and limits.go for the limits of a reader.
package codec
