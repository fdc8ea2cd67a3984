package main

//go:generate go run ../cmd/gen/api
