// Package assemble puts kernels together from instructions: a few that every small kernel needs have functions here, all
// others are made with [Plain]. [Code] collects their words.
package assemble
