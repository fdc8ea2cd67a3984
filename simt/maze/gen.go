package maze

//go:generate go run ./cmd/divergence ../../docs/divergence.md
