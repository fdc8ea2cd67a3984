// Package judge looks for mistakes of the program in its calls: frees, copies, calls that fail
// unseen, and what is left at the end. The driver tells it of calls; it knows nothing of the
// driver's objects.
//
// Reading order: judge.go (the calls of the program's threads, leaks), failed.go (calls that fail),
// blocks.go (device memory that the program allocates and frees), copies.go (asynchronous copies).
package judge
