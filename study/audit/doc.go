// Package audit reports, before a kernel runs, how certain it is that its instructions execute as
// on hardware, and which of them would fault.
package audit
