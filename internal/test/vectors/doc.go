// Package vectors reads the decoder's test vectors, the encodings of decoder/testdata. It is for
// tests only.
package vectors
