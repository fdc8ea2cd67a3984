// Package ir is the form in which the compiler improves a kernel: static single assignment over
// values of a few kinds. It is close to the machine: a float is the word that holds its bits, and
// signedness belongs to operations.
//
// Reading order: op.go, value.go, func.go, edit.go, order.go, print.go.
package ir
