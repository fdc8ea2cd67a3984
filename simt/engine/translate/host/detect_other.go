//go:build !amd64

package host

func detect() string { return Off }

func detectBytes() bool { return false }
