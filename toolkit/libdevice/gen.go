package libdevice

//go:generate go run ../../cmd/gen/libdevice
