//go:build !amd64

package host

func detect() string { return Off }
