package cli

//go:generate go run jacquard/cmd/jacquard stats --table3 --test ../../../../testdata/mesa-kernels -o ../../../../docs/statistics.md
//go:generate go run jacquard/cmd/jacquard stats --branches --test ../../../../testdata/mesa-kernels -o ../../../../docs/statistics.md
