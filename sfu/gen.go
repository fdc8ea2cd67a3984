package sfu

//go:generate go run ../cmd/gen/tables
