package knobs

//go:generate go run ../../../cmd/gen/driver knobs
