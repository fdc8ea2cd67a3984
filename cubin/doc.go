// Package cubin reads the files that hold machine code for sm_10 .. sm_13 into an [Image].
//
// [Parse] looks at the first bytes ([Sniff]) and hands the data to the reader of that container.
// Text cubins (CUDA 1.0 .. 2.3) are read; for other containers Parse answers a [ContainerError]
// that names what it saw. Whatever the data, Parse answers an Image or a typed error: it never panics,
// and it allocates no more than a small multiple of the data's length.
//
// Reading order: image.go is what every container becomes; container.go tells containers apart;
// lex.go and text.go read text cubins and limits.go says which numbers they may hold; format.go writes them.
//
// The package knows files only. Devices, addresses and launches are the driver's affair.
package cubin
