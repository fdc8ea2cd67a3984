// Package idioms runs the locks and the lock-free idioms of books and forums, as nvcc compiles them
// at several levels, under the default policy. Its programs are in testdata, with the values that
// they have to find.
package idioms
