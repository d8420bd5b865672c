// Package architecture holds no code of its own: its tests read the sources of
// the whole module and fail when the layout is broken.
//
// The packages stand on layers, and an import may only point downward:
//
//	9  cmd/gitmem ──> cmd/internal/*                  front ends see the façade only
//	8  gitmem                                         the façade: makes a view for each call
//	7  gitmem/internal/{report,archiving,recall,curate,promote,forget,diagnose,agent}
//	6  gitmem/internal/{ask,session}                  one answer; a session while it goes on
//	5  gitmem/internal/query                          one question
//	4  gitmem/internal/ingest
//	3  gitmem/internal/{archive,tombstone,sessioncontext}
//	2  gitmem/internal/{forge,search,cite,workspace,lint,embed,llm}
//	1  gitmem/internal/{branch,config,index,items,store,team,transcript,traces,messages,modelapi,profile,tasks}, providers/*
//	0  gitmem/answer, markdown, markdown/linediff, providers, providers/internal/remote,
//	   providers/git/diffterms, templates, internal/{clip,freelist,lazy,mmap,slice}, gitmem/internal/{deadline,osfile,plain,redact}
//
// Packages on the same layer never import each other. Four exceptions are stated:
// store reads repositories through providers/git, markdown and diffterms read the
// hunks of linediff, and providers/internal/remote speaks the language of providers. The
// main package is drawn on the layer of the front ends that it starts. A package
// whose name ends in "test" is for test files only.
//
// The sources are parsed instead of asked from go list, because go list sees
// the files of one platform only and an arrow in a _windows.go file counts too.
package architecture
