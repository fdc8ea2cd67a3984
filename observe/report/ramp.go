package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// levels is the number of heat colours.
const levels = 9

// shade is a background colour with the colour of text on it.
type shade struct{ ground, ink string }

// The heat colours are ColorBrewer's YlGnBu on light ground and viridis on dark ground. Both move
// away from the ground in even steps of lightness, which colour-blind readers see as well.
var (
	lightRamp = [levels]string{"#ffffd9", "#edf8b1", "#c7e9b4", "#7fcdbb", "#41b6c4", "#1d91c0", "#225ea8", "#253494", "#081d58"}
	darkRamp  = [levels]string{"#440154", "#472d7b", "#3b528b", "#2c728e", "#21908c", "#27ad81", "#5dc863", "#aadc32", "#fde725"}
)

// inked returns a background with black or white text, whichever has more contrast.
func inked(ground string) shade {
	if contrast(ground, "#000000") > contrast(ground, "#ffffff") {
		return shade{ground, "#000000"}
	}
	return shade{ground, "#ffffff"}
}

// level returns the colour of a value in 0..most: -1, no colour, for 0.
func level(value, most float64) int {
	if value <= 0 || most <= 0 {
		return -1
	}
	return min(int(math.Ceil(levels*value/most)), levels) - 1
}

// rampStyle returns the CSS of the heat colours. An element has its levels in the attributes
// data-i, data-l and data-m; data-heat of the page selects one.
func rampStyle() template.CSS {
	var s strings.Builder
	s.WriteString(":root {\n")
	for i := range levels {
		light, dark := inked(lightRamp[i]), inked(darkRamp[i])
		fmt.Fprintf(&s, "\t--r%d: light-dark(%s, %s); --k%[1]d: light-dark(%[4]s, %s);\n", i, light.ground, dark.ground, light.ink, dark.ink)
	}
	s.WriteString("}\n")
	for _, heat := range [...]string{"issues", "lanes", "memory"} {
		for i := range levels {
			fmt.Fprintf(&s, ":root[data-heat=%s] [data-%c=\"%d\"] { --heat: var(--r%[3]d); --heat-ink: var(--k%[3]d) }\n", heat, heat[0], i)
		}
	}
	for i := range levels {
		fmt.Fprintf(&s, ".r%d { background: var(--r%[1]d); stroke: var(--r%[1]d) }\n", i)
	}
	return template.CSS(s.String()) // constants only
}

// contrast is the contrast ratio of two colours by the Web Content Accessibility Guidelines, 1 to
// 21.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance returns the relative luminance of a colour "#rrggbb".
func luminance(colour string) float64 {
	var rgb [3]uint8
	if _, err := fmt.Sscanf(colour, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		panic("report: colour " + colour)
	}
	var sum float64
	for i, weight := range [...]float64{0.2126, 0.7152, 0.0722} {
		c := float64(rgb[i]) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
