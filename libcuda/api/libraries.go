package api

// RuntimeLibrary is a library that the sources of libcuda/runtime become.
type RuntimeLibrary struct {
	Version Version // CUDART_VERSION
	Suffix  string  // of libcudart.so.
}

// RuntimeLibraries are all runtime libraries with a number, the earliest first. The library of
// release 2.0 serves programs that ask for a library without a number.
var RuntimeLibraries = [...]RuntimeLibrary{
	{2000, "2.0"}, {2030, "2"}, {3020, "3"}, {4020, "4"}, {5000, "5.0"}, {5050, "5.5"}, {6000, "6.0"}, {6050, "6.5"},
	{10000, "10.0"},
}
