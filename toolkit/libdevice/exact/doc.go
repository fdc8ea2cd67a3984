// Package exact computes mathematical functions with big numbers. The errors of the device
// mathematics are measured against them, and its polynomials are fitted to them. Results have a
// relative error below 2^-120 for arguments that are double or float numbers, and sums and
// products of such.
//
// Reading order:
//
//	number.go     arithmetic that returns new numbers of one precision
//	constant.go   pi, ln 2, Euler's constant, Bernoulli numbers
//	exp.go        exponentials, logarithms, powers, hyperbolic functions
//	circle.go     sine, cosine, tangent and their inverses
//	erf.go        the error function and the normal distribution, with their inverses
//	gamma.go      the gamma function
//	bessel.go     Bessel functions
package exact
