// Package scopes reads the debugging information of a module: which scopes its statements belong to,
// and which variables the scopes have.
package scopes
