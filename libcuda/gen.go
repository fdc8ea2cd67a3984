package main

//go:generate go run ../cmd/gen/api
//go:generate go run ../cmd/gen/runtime
