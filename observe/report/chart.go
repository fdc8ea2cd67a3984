package report

import (
	"fmt"
	"html/template"
	"strings"
)

// histogram draws issues by active lanes. Its text consists of numbers made here.
func histogram(active [33]uint64) template.HTML {
	var all, most uint64
	for _, n := range active {
		all += n
		most = max(most, n)
	}
	if most == 0 {
		return `<p class="soft">Nothing was issued.</p>`
	}
	const (
		left, right, top, height = 46.0, 8.0, 8.0, 150.0
		step                     = 17.0
	)
	whole := scale(100 * ratio(most, all))
	wide := left + step*float64(len(active)) + right
	var s strings.Builder
	fmt.Fprintf(&s, `<svg class="chart" viewBox="0 0 %.0f %.0f" role="img" aria-label="Issues by active lanes; the table below has the numbers">`, wide, top+height+34)
	for i := range 5 {
		y := top + height*float64(i)/4
		fmt.Fprintf(&s, `<path class="axis" d="M%.0f %.1fh%.0f"/>`, left, y, wide-left-right)
		fmt.Fprintf(&s, `<text x="%.0f" y="%.1f" text-anchor="end">%.0f %%</text>`, left-6, y+4, whole*float64(4-i)/4)
	}
	for lanes, n := range active {
		x := left + step*float64(lanes)
		if lanes%4 == 0 {
			fmt.Fprintf(&s, `<text x="%.1f" y="%.1f" text-anchor="middle">%d</text>`, x+step/2, top+height+15, lanes)
		}
		if n == 0 {
			continue
		}
		h := max(height*100*ratio(n, all)/whole, 1.5)
		fmt.Fprintf(&s, `<rect class="bar" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="1.5"><title>%s issues with %d active lanes: %s</title></rect>`,
			x+1.5, top+height-h, step-3, h, count(n), lanes, template.HTMLEscapeString(percent(n, all)))
	}
	fmt.Fprintf(&s, `<text x="%.1f" y="%.1f" text-anchor="middle">active lanes</text></svg>`, left+(wide-left-right)/2, top+height+30)
	return template.HTML(s.String())
}

// scale returns the percentage at the end of an axis for values up to most. A quarter of it is a
// whole number.
func scale(most float64) float64 {
	for _, end := range [...]float64{4, 8, 20, 40, 60, 80} {
		if most <= end {
			return end
		}
	}
	return 100
}
