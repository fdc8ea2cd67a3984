// Package load brings an image's kernel to the simulator: the code decoded for a device and lowered, the
// constant banks filled.
//
// [Kernel] and [Program] read what a file says of a kernel; [Fill] copies constants. Addresses of variables
// are the driver's to choose.
package load
