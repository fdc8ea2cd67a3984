package bind

import (
	"regexp"
	"strings"
)

var (
	toolkitName = regexp.MustCompile(`^lib(cudart|cublas|cufft|cufftw|curand|cusparse|cusolver|npp\w*|nvrtc|nvvm|cupti|cuinj\d*)\.so\.?([0-9.]*)$`)
	sdkName     = regexp.MustCompile(`^lib(cutil|cudpp|paramgl|rendercheckgl|shrutil)`)
	otherName   = regexp.MustCompile(`^(lib[\w+.-]*?)\.so\.([0-9.]+)$`)
)

// packages maps a library to its Debian package where the names differ.
var packages = map[string]string{
	"libglut.so.3":   "libglut3.12 (freeglut3 in older releases)",
	"libGL.so.1":     "libgl1",
	"libGLU.so.1":    "libglu1-mesa",
	"libgcc_s.so.1":  "libgcc-s1",
	"libstdc++.so.6": "libstdc++6",
	"libstdc++.so.5": "libstdc++5",
	"libc.so.6":      "libc6",
	"libz.so.1":      "zlib1g",
}

// whereToGet names the source of a library, or "" if the library's name does not tell.
func whereToGet(name string) string {
	if m := toolkitName.FindStringSubmatch(name); m != nil {
		switch release := m[2]; {
		case isRuntime(name) && isOwnRuntime(release):
			return "make runtime builds it"
		case release == "":
			return "an early release of NVIDIA's CUDA Toolkit has it"
		case strings.Contains(release, "."):
			return "NVIDIA's CUDA Toolkit " + release + " has it"
		default:
			return "NVIDIA's CUDA Toolkit " + release + ".x has it"
		}
	}
	if isCuda(name) {
		return "the simulator has " + SoName + " alone"
	}
	if sdkName.MatchString(name) {
		return "NVIDIA's GPU Computing SDK has it"
	}
	if p := packages[name]; p != "" {
		return "Debian's package " + p + " has it"
	}
	if m := otherName.FindStringSubmatch(name); m != nil {
		return "Debian's package " + packageName(m[1], m[2]) + " may have it (apt-file search " + name + ")"
	}
	return ""
}

// packageName returns the name that Debian's rules give a library's package: its name and version
// in lower case, with a hyphen between two digits.
func packageName(name, version string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	if last := name[len(name)-1]; '0' <= last && last <= '9' {
		name += "-"
	}
	return name + version
}
