// Package host tells which vector instructions of the host code can be translated to.
//
// [Find] looks a name up, [Names] lists the names that it takes. host.go has the rules, detect_*.go
// asks the processor.
package host
