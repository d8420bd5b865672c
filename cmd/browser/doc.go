// Package browser tests the pages of gitmem browse in a real Chromium. It is a separate module, because
// gitmem needs no browser to be built or tested. .ci/browser runs it, and downloads its dependencies.
//
// The program is built from this checkout unless GITMEM names one. All data is in a temporary folder: nothing
// of the user's is read or written. CHROMIUM is the path of the browser if it has an unusual name; without a
// browser the tests are skipped. AXE is the path of axe.min.js of axe-core, without which accessibility is
// not tested, SHOTS a folder for screenshots of all pages, BIG a folder with a large memory, and FIGURES=1
// enforces its time limits.
package browser
