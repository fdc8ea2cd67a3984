// Package events defines the lines of JSON that the driver appends to a file, one when a program
// starts the driver and one after every launch. It also reads such files.
package events
