package driver

//go:generate go run ./internal/generate
