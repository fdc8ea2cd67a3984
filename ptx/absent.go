package ptx

import "strings"

// absentOps are operations of later devices that no code for these devices can do, and why.
var absentOps = map[string]string{
	"clusterlaunchcontrol": noClusters, "getctarank": noClusters, "mapa": noClusters,
	"ldmatrix": noMatrices, "mma": noMatrices, "movmatrix": noMatrices, "stmatrix": noMatrices,
	"tcgen05": noMatrices, "wgmma": noMatrices, "wmma": noMatrices,
	"mbarrier":  "the devices have no barriers in memory",
	"multimem":  "there is one memory, without copies in other devices",
	"tensormap": "the devices have no tensor maps", "istypep": "a handle of a texture is none of memory",
}

const (
	noClusters = "the devices have no clusters of blocks"
	noMatrices = "the devices have no matrix units"
)

// absent returns why an operation is not supported, "" if it is unknown.
func absent(op string) string { return absentOps[op] }

// absentSpecial returns why a special register is not supported, "" if it is unknown.
func absentSpecial(name string) string {
	if strings.Contains(name, "cluster") {
		return noClusters
	}
	return ""
}
