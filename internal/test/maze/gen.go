package maze

//go:generate go run ../../../cmd/gen/divergence ../../../docs/divergence.md
