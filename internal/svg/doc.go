// Package svg draws pictures as SVG: curves, bars, areas and graphs, from plain values. Colours
// come from classes, so that a page chooses them; a picture that stands alone carries a style of
// its own. It knows no memory and no page, and escapes each text.
package svg
