package report

import "html/template"

// Style returns the style sheet of the page, for other pages: light and dark, tables, tiles, cards,
// and the heat colours as --r0 to --r8 with the colour of text on them as --k0 to --k8.
func Style() template.CSS { return template.CSS(asset("page.css")) + rampStyle() }

// Heat returns the number of the heat colour of a value in 0..most: -1, no colour, for 0.
func Heat(value, most float64) int { return level(value, most) }

// Levels is the number of heat colours.
const Levels = levels

// Count writes a number with commas between thousands.
func Count(n uint64) string { return count(n) }
