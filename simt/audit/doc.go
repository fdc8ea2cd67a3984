// Package audit says, before a kernel runs, how certain it is that the simulator executes
// its instructions as hardware does, and which of them would stop it.
package audit
