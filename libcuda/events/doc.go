// Package events reads the record that the driver's library appends to while programs use
// it: a JSON line when a program starts the driver and one after every launch.
package events
