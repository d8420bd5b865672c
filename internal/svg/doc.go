// Package svg draws pictures as SVG: curves, bars, areas and graphs, from plain values. Colours come from CSS
// classes, so that a page chooses them; a standalone picture includes a style. It must not know memory or
// pages, and it escapes all text.
package svg
