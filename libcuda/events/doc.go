// Package events has the lines of JSON that the driver appends to a file while programs use it, one
// when a program starts the driver and one after every launch, and reads such files.
package events
