package driver

//go:generate go run ../../cmd/gen/driver constants devices
