// Package distribution holds no code of its own: its tests install what a release consists of, each in an empty
// folder and from servers on this machine. They know the form of each kind of package, and of gitmem
// only that it tells its version.
//
// The tests of each change make a release of archives with a small script in the program's place. Where
// GITMEM_RELEASE names a folder with a whole one, as .ci/nightly does, they install that.
package distribution
