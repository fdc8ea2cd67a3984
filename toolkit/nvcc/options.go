package nvcc

import "jacquard/toolkit/options"

// CMake knows nvcc by the beginning of the title.
var tool = options.Tool{
	Name: "nvcc", Title: "NVIDIA (R) Cuda compiler driver: its place is taken by Jacquard's",
	Usage: usage, Table: table,
}

const usage = `nvcc compiles CUDA C++ with clang and links programs: nvcc [options] FILE...

One dash does as well as two. Values come after "=" or a space.

Machine code is made for sm_10 to sm_13, the devices that Jacquard has. Without -arch, and for
later architectures, it is made for sm_13; the PTX goes in, too. __CUDA_ARCH__ is what -arch says,
but 750 for sm_80 and later. "native" and "all" mean sm_13.
If several later architectures are asked for, the earliest counts. If one of sm_10 to sm_13 is
asked for, later ones do not count.

The environment variable JACQUARD_CLANG names another clang++.

Options:`

var table = options.Table{
	{Long: "output-file", Short: "o", Kind: options.Value, Value: "FILE", Help: "write the result to FILE"},
	{Long: "output-directory", Short: "odir", Kind: options.Value, Value: "DIR", Help: "write results to DIR"},
	{Long: "x", Kind: options.Value, Value: "cu|c++|c", Help: "the language of all inputs, whatever their names end in"},

	{Long: "compile", Short: "c", Help: "compile each input to an object file"},
	{Long: "link", Short: "link", Help: "compile and link: the default"},
	{Long: "lib", Short: "lib", Help: "compile, and put the objects into a library"},
	{Long: "preprocess", Short: "E", Help: "preprocess the host half"},
	{Long: "ptx", Short: "ptx", Help: "compile the device half to PTX"},
	{Long: "cubin", Short: "cubin", Help: "compile the device half to machine code"},
	{Long: "fatbin", Short: "fatbin", Help: "compile the device half to a fat binary"},
	{Long: "device-c", Short: "dc", Help: "as -c -rdc=true"},
	{Long: "device-w", Short: "dw", Help: "as -c"},
	{Long: "device-link", Short: "dlink", Help: "not supported: machine code of sm_1x cannot be linked"},
	{Long: "run", Short: "run", Help: "compile, link, and run the program"},
	{Long: "run-args", Kind: options.List, Value: "ARGUMENT,...", Help: "arguments of the program that -run runs"},

	{Long: "generate-dependencies", Short: "M", Help: "print the files that the inputs include"},
	{Long: "generate-nonsystem-dependencies", Short: "MM", Help: "the same, without headers of the system"},
	{Long: "generate-dependencies-with-compile", Short: "MD", Help: "write them to a file while compiling"},
	{Long: "generate-nonsystem-dependencies-with-compile", Short: "MMD", Help: "the same, without headers of the system"},
	{Long: "dependency-output", Short: "MF", Kind: options.Value, Value: "FILE", Help: "write them to FILE"},
	{Long: "dependency-target-name", Short: "MT", Kind: options.Value, Value: "TARGET", Help: "write a rule for TARGET"},
	{Long: "generate-dependency-targets", Short: "MP", Help: "write an empty rule for each included file"},

	{Long: "gpu-architecture", Short: "arch", Kind: options.Value, Value: "ARCH", Help: "sm_10 .. sm_121, compute_10 .. compute_121, native, all (default: sm_13)"},
	{Long: "gpu-code", Short: "code", Kind: options.List, Value: "ARCH,...", Help: "real and virtual architectures to make code for"},
	{Long: "generate-code", Short: "gencode", Kind: options.Value, Value: "arch=ARCH,code=ARCH,...", Help: "both; repeat for more"},
	options.Machine,
	{Long: "relocatable-device-code", Short: "rdc", Kind: options.Bool, Value: "BOOL", Help: "each file is a whole program all the same"},

	{Long: "include-path", Short: "I", Kind: options.Joined, Value: "DIR", Help: "look for headers in DIR"},
	{Long: "system-include", Short: "isystem", Kind: options.Value, Value: "DIR", Help: "the same, for headers of the system"},
	{Long: "pre-include", Short: "include", Kind: options.Value, Value: "FILE", Help: "include FILE before line 1"},
	{Long: "define-macro", Short: "D", Kind: options.Joined, Value: "NAME[=VALUE]", Help: "define a macro"},
	{Long: "undefine-macro", Short: "U", Kind: options.Joined, Value: "NAME", Help: "do not define a macro"},
	{Long: "std", Short: "std", Kind: options.Value, Value: "STANDARD", Help: "c++11, c++14, c++17, ... (default: gnu++14)"},

	{Long: "library", Short: "l", Kind: options.Joined, Value: "NAME", Help: "link the library NAME"},
	{Long: "library-path", Short: "L", Kind: options.Joined, Value: "DIR", Help: "look for libraries in DIR"},
	{Long: "shared", Short: "shared", Help: "make a shared library"},
	{Long: "cudart", Short: "cudart", Kind: options.Value, Value: "static|shared|none", Help: "which runtime library to link (default: static)"},

	{Long: "optimize", Short: "O", Kind: options.Joined, Value: "LEVEL", Help: "optimize the host half: 0 to 3"},
	{Long: "debug", Short: "g", Help: "debug information for the host half"},
	{Long: "profile", Short: "pg", Help: "instrument the host half for gprof"},
	{Long: "device-debug", Short: "G", Help: "variables and lines for debuggers of the device half, without optimization"},
	{Long: "generate-line-info", Short: "lineinfo", Help: "line information for the device half, and inlined functions"},
	{Long: "maxrregcount", Short: "maxrregcount", Kind: options.Value, Value: "N", Help: "use N registers per thread at most"},
	{Long: "use_fast_math", Help: "-ftz=true -prec-div=false -prec-sqrt=false, and fast functions"},
	{Long: "ftz", Kind: options.Bool, Value: "BOOL", Help: "flush denormals to zero, as sm_1x always does"},
	{Long: "prec-div", Kind: options.Bool, Value: "BOOL", Help: "round divisions correctly (default: from sm_20 on)"},
	{Long: "prec-sqrt", Kind: options.Bool, Value: "BOOL", Help: "round square roots correctly (default: from sm_20 on)"},
	{Long: "fmad", Kind: options.Bool, Value: "BOOL", Help: "contract products and sums to MAD (default: true)"},

	{Long: "compiler-options", Short: "Xcompiler", Kind: options.List, Value: "OPTION,...", Help: "options of clang for the host half"},
	{Long: "linker-options", Short: "Xlinker", Kind: options.List, Value: "OPTION,...", Help: "options of the linker"},
	{Long: "archive-options", Short: "Xarchive", Kind: options.List, Value: "OPTION,...", Help: "options of ar"},
	{Long: "ptxas-options", Short: "Xptxas", Kind: options.List, Value: "OPTION,...", Help: "options of ptxas: -v prints registers and memory"},
	{Long: "resource-usage", Short: "res-usage", Help: "as -Xptxas -v"},
	{Long: "compiler-bindir", Short: "ccbin", Kind: options.Value, Value: "PATH", Help: "clang++ of another release; other compilers are not used"},

	{Long: "dryrun", Short: "dryrun", Help: "print the steps and run nothing"},
	{Long: "verbose", Short: "v", Help: "print the steps"},
	{Long: "keep", Short: "keep", Help: "keep the files between the steps"},
	{Long: "save-temps", Short: "save-temps", Help: "as -keep"},
	{Long: "keep-dir", Short: "keep-dir", Kind: options.Value, Value: "DIR", Help: "keep them in DIR"},
	{Long: "disable-warnings", Short: "w", Help: "print no warnings"},
	{Long: "Werror", Kind: options.Value, Value: "KIND,...", Help: "make warnings errors: all-warnings alone has an effect"},
	{Long: "default-stream", Kind: options.Value, Value: "legacy|per-thread", Help: "what stream 0 is"},

	{Long: "cudafe-options", Short: "Xcudafe", Kind: options.List, Value: "OPTION,...", Help: without},
	{Long: "nvlink-options", Short: "Xnvlink", Kind: options.List, Value: "OPTION,...", Help: without},
	{Long: "fatbin-options", Short: "Xfatbin", Kind: options.List, Value: "OPTION,...", Help: without},
	{Long: "opencc-options", Short: "Xopencc", Kind: options.List, Value: "OPTION,...", Help: without},
	{Long: "nvvm-options", Short: "Xcicc", Kind: options.List, Value: "OPTION,...", Help: without},
	{Long: "expt-relaxed-constexpr", Short: "expt-relaxed-constexpr", Help: "without effect: clang always does"},
	{Long: "expt-extended-lambda", Short: "extended-lambda", Help: "without effect: clang always does"},
	{Long: "restrict", Short: "restrict", Help: without},
	{Long: "source-in-ptx", Short: "src-in-ptx", Help: without},
	{Long: "host-compilation", Kind: options.Value, Value: "C++", Help: without},
	{Long: "threads", Short: "t", Kind: options.Value, Value: "N", Help: without},
	{Long: "clean-targets", Short: "clean", Help: without},
	{Long: "no-align-double", Help: without},
	{Long: "no-host-device-initializer-list", Help: without},
	{Long: "no-host-device-move-forward", Help: without},
	{Long: "Wno-deprecated-gpu-targets", Help: without},
	{Long: "Wno-deprecated-declarations", Help: "without warnings about deprecated names"},
	{Long: "Wreorder", Help: without},
	{Long: "display-error-number", Short: "err-no", Help: without},
	{Long: "use-local-env", Help: without},
	{Long: "cudadevrt", Kind: options.Value, Value: "none|static", Help: without},
	{Long: "targets", Short: "target", Kind: options.Value, Value: "NAME", Help: without},
}

// without is the help of options that build files give and that need nothing here.
const without = "without effect"
