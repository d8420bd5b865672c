// Package architecture has no code of its own: its tests read the sources of the whole module and fail if the
// layout is violated.
//
// The packages are on layers, and an import may only point downward:
//
//	9  cmd/gitmem ──> cmd/internal/*                  front ends see the façade only
//	8  gitmem                                         the façade: makes a view for each call
//	7  gitmem/internal/{report,archiving,recall,curate,promote,forget,diagnose,agent,sync}
//	6  gitmem/internal/{ask,session}                  one answer; a session while it goes on
//	5  gitmem/internal/{query,settle}                 what one question reads; conflicts that git left
//	4  gitmem/internal/{ingest,merge}
//	3  gitmem/internal/{archive,tombstone,sessioncontext,graph}
//	2  gitmem/internal/{failure,forge,search,cite,claim,workspace,lint,embed,llm,interchange}
//	1  gitmem/internal/{branch,config,index,items,store,team,transcript,traces,messages,modelapi,profile,tasks},
//	   gitmem/internal/embed/bert, providers/*
//	0  gitmem/answer, markdown, markdown/linediff, providers, providers/internal/remote,
//	   providers/git/diffterms, templates, templates/meaning, internal/{clip,freelist,glob,lazy,mmap,slice,svg},
//	   gitmem/internal/{deadline,linear,osfile,plain,redact,dialect}, gitmem/internal/dialect/*
//
// Packages on the same layer do not import each other, with these exceptions: store imports
// providers/git, markdown and diffterms import linediff, providers/internal/remote imports
// providers, and the packages below dialect import dialect and dialect/sqlite. The main package is
// on the layer of the front ends that it starts. A package whose name ends in "test" is for test
// files only.
//
// The tests parse the sources, because go list only sees the files of one platform, and an import in a
// _windows.go file counts too.
package architecture
