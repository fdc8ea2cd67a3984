package mem

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// spaceUnderTest is what global, shared and local memory have in common.
type spaceUnderTest interface {
	Load(dst *Data, addr *lane.Row, m lane.Mask, t tesla.Type) *Violation
	Store(src *Data, addr *lane.Row, m lane.Mask, t tesla.Type) *Violation
}
