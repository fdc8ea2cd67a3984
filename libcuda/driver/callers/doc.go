// Package callers names the places in the code of the present process that called the driver, and
// tells whether such a place looks at the result of its call.
//
// modules.go finds the files of the process's code, symbols.go the functions and lines of a file,
// stack.go makes frames of return addresses. look.go follows the code behind a call, and decode.go
// is the little that it knows of the instructions of the host.
package callers
