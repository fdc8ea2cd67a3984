package main

//go:generate go run ./api/gen
