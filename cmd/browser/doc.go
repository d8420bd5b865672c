// Package browser tests the pages of gitmem browse in a real Chromium. It is a module of its
// own, since gitmem needs no browser to be built or tested. .ci/browser runs it, and fetches
// what it takes.
//
// The program is built from this checkout unless GITMEM names one. All of it happens in a
// temporary folder: nothing of the user's is read or written. CHROMIUM names the browser if
// it has another name than usual; without one the tests are skipped. AXE names axe.min.js of
// axe-core, without which accessibility is not tested, SHOTS a folder for pictures of all
// pages, BIG a folder with a large memory, and FIGURES=1 has its limits of time kept.
package browser
