// Package load makes an image's kernel ready for the simulator. [Kernel] decodes its code for a
// device, [Program] lowers it, and [Place] puts the image's data into the device's memory.
package load
