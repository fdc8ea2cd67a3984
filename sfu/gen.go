package sfu

//go:generate go run ./cmd/tables
