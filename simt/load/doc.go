// Package load makes an image's kernel ready for the simulator. [Kernel] decodes its code for a device,
// [Program] lowers it, [Fill] fills constant banks. The driver chooses the addresses of variables.
package load
