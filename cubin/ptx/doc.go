// Package ptx reads and prints PTX, the language in which later tools hand kernels to a driver.
//
// Reading order: module.go, statement.go, enums.go.
package ptx
