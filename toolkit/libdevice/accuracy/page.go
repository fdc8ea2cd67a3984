package accuracy

import (
	"fmt"
	"math"
	"strings"
)

// Head is the head of the table; [Row] writes its rows.
const Head = "| function | arguments | inputs | greatest error | at | bound | |\n" +
	"|---|---|---|---|---|---|---|\n"

// Row returns the row of a measurement in docs/libdevice.md. The last column says why an error is
// beyond its bound; it is empty if the error is within.
func (m *Measurement) Row(r Result) string {
	bound, absolute := m.Bound()
	worst, limit := fmt.Sprintf("%.2f", r.Worst), fmt.Sprint(bound)
	if absolute {
		worst, limit = fmt.Sprintf("%.2g absolute", r.Worst), fmt.Sprintf("%.2g absolute", bound)
	}
	if math.IsInf(bound, 1) {
		limit = "none"
	}
	verdict := ""
	if !m.Within(r.Worst) {
		verdict = "beyond the bound: " + m.Why()
	}
	at := make([]string, len(r.At))
	for i, x := range r.At {
		at[i] = fmt.Sprintf("%.9g", x)
	}
	where := m.Where()
	if where == "" {
		where = "all"
	}
	name := strings.TrimPrefix(m.Function.Name, "__nv_")
	return fmt.Sprintf("| `%s` | %s | %d | %s | %s | %s | %s |\n", name, where, r.Inputs,
		worst, strings.Join(at, ", "), limit, verdict)
}
