package gitmem

import (
	"os"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/agent"
	"github.com/gitmem/gitmem/gitmem/internal/archiving"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/curate"
	"github.com/gitmem/gitmem/gitmem/internal/diagnose"
	"github.com/gitmem/gitmem/gitmem/internal/forge"
	"github.com/gitmem/gitmem/gitmem/internal/forget"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/promote"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/recall"
	"github.com/gitmem/gitmem/gitmem/internal/report"
	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/sync"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/gitmem/internal/team"
	"github.com/gitmem/gitmem/gitmem/internal/traces"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers/git"
)

// Errors that callers branch on.
var (
	// ErrNoStore means that an operation needs a store and none exists here.
	ErrNoStore = store.ErrNoStore
	// ErrLocked means that another process holds a lock for too long.
	ErrLocked = store.ErrLocked
	// ErrNotFound means that a citation's source does not exist here.
	ErrNotFound = messages.ErrNotFound
	// ErrNoRepository means that an operation that needs a repository's history ran outside
	// any. Such an error wraps ErrNotFound too.
	ErrNoRepository = messages.ErrNoRepository
	// ErrConflict means that a file kept changing during a rewrite.
	ErrConflict = store.ErrConflict
	// ErrNoGit means that an operation needs git and no suitable one is installed.
	ErrNoGit = store.ErrNoGit
	// ErrHeld means that a file contains a secret and was not committed.
	ErrHeld = store.ErrHeld
	// ErrDuplicate means that another note already has the same content.
	ErrDuplicate = messages.ErrDuplicate
	// ErrUsage means that the arguments are invalid.
	ErrUsage = messages.ErrUsage
	// ErrNotCaptured means that hooks must not write here now.
	ErrNotCaptured = workspace.ErrNotCaptured
)

// Types of answers, see the documentation of their fields.
type (
	Answer     = answer.Answer
	Citation   = answer.Citation
	Person     = answer.Person
	State      = answer.State
	Searched   = answer.Searched
	Strategy   = answer.Strategy
	Confidence = answer.Confidence
	Verdict    = answer.Verdict
	Role       = answer.Role
	Step       = answer.Step
	Source     = cite.Source
	Refusal    = messages.Refusal
	// Explanation describes how a query was parsed.
	Explanation = answer.Explanation
)

// Options of a call, and of capturing.
type (
	Capture      = workspace.Capture
	Options      = workspace.Options
	PauseOptions = workspace.PauseOptions
	Progress     = workspace.Progress
	// Repositories caches data of repositories, for a process that makes many calls.
	Repositories = git.Kept
)

// Forges and trackers.
type (
	ForgeStatus = forge.ForgeStatus
	Left        = forge.LeftOut
)

// Indexes, models and work in the background.
type (
	Command         = ingest.Command
	Embedded        = ingest.Embedded
	InstalledModels = ingest.InstalledModels
	Model           = ingest.Model
	ShardStatus     = ingest.ShardStatus
)

// Questions and results.
type (
	FileChange = query.FileChange
	Filter     = query.Filter
	Fixes      = query.Fixes
	Fix        = query.Fix
	Hit        = query.Hit
	Layer      = query.Layer
	Results    = query.Results
	// RecentSession is a session with its first prompt.
	RecentSession = query.RecentSession
	// SessionFilter selects the sessions to list.
	SessionFilter = query.SessionFilter
	SessionList   = query.SessionList
	ListedSession = query.ListedSession
	// TranscriptOptions select the part of a session to read.
	TranscriptOptions = query.TranscriptOptions
	Transcript        = query.Transcript
	TranscriptMessage = query.TranscriptMessage
	TranscriptBlock   = query.TranscriptBlock
	ArchiveEntry      = query.ArchiveEntry
	ShowOptions       = query.ShowOptions
	Shown             = query.Shown
)

// The activity of a team.
type (
	Experts      = report.Experts
	TeamActivity = team.Bucket
	TeamArea     = team.AreaState
	TeamHolder   = team.Holder
	TeamHotSpot  = team.HotSpot
	TeamMember   = team.Member
	TeamReviewer = team.Reviewer
	TeamRisk     = team.Risk
	TeamState    = team.Overview
	Why          = report.Why
	WhyCommit    = report.WhyCommit
	WhyLines     = report.WhyLines
	WhyQuestion  = report.WhyQuestion
)

// Research by a language model.
type (
	ResearchEvent    = agent.Event
	ResearchProvider = agent.Provider
	ResearchQuestion = agent.Question
	ResearchResult   = agent.Result
)

// Sessions of the client.
type (
	BackfillFailure  = archiving.BackfillFailure
	BackfillOptions  = archiving.BackfillOptions
	BackfillSection  = archiving.BackfillSection
	Backfilled       = archiving.Backfilled
	CompactFailure   = archiving.CompactFailure
	CompactOptions   = archiving.CompactOptions
	CompactedLog     = archiving.CompactedLog
	Compaction       = archiving.Compaction
	SyncOptions      = sync.Options
	SyncReport       = sync.Report
	SyncPurgePlan    = sync.PurgePlan
	SyncStatus       = sync.Status
	Rederived        = archiving.Rederived
	AgentSessions    = archiving.AgentSessions
	Reopening        = query.Reopening
	RederivedFailure = archiving.RederivedFailure
	RederivedSection = archiving.RederivedSection
	Ended            = archiving.Ended
	ContextOptions   = session.ContextOptions
	ContextVariable  = session.ContextVariable
	ContextPart      = session.ContextPart
	SessionContext   = session.Context
	Observation      = session.Observation
	RecallOptions    = recall.RecallOptions
	Recalled         = recall.Recalled
	Stopped          = session.Stopped
	LogEntry         = session.LogEntry
	Recovered        = archiving.Recovered
	Turn             = session.Turn
)

// Changes to memory and its history.
type (
	BlameLine      = curate.BlameLine
	Blamed         = curate.Blamed
	Commit         = curate.Commit
	Decided        = curate.Decided
	Decision       = curate.Decision
	KnownDecision  = curate.KnownDecision
	MemoryFile     = query.File
	MemoryFiles    = query.Files
	RuleRequest    = promote.Request
	RulePlan       = promote.Plan
	RuleProposed   = promote.Proposed
	RuleState      = promote.State
	RuleList       = promote.Rules
	Rule           = promote.Rule
	RuleCandidates = promote.Found
	RuleCandidate  = promote.Candidate
	Difference     = curate.Difference
	Duplicate      = messages.Duplicate
	Edited         = curate.Edited
	Editing        = curate.Editing
	Imported       = curate.Imported
	Exported       = curate.Exported
	LintFinding    = curate.LintFinding
	Linted         = curate.Linted
	LogOptions     = curate.LogOptions
	Noted          = curate.Noted
	Preference     = curate.Preference
	Preferences    = curate.Preferences
	ProfileChange  = curate.ProfileChange
	ProfileChanged = curate.ProfileChanged
	Project        = curate.Project
	Task           = curate.Task
	TaskChange     = tasks.Change
	TaskChanged    = curate.TaskChanged
	Undone         = curate.Undone
)

// Forgetting.
type (
	Elsewhere        = forget.Elsewhere
	Forgetting       = forget.Forgetting
	Forgotten        = forget.Forgotten
	ForgottenFile    = store.PurgedFile
	ForgottenHistory = forget.ForgottenHistory
	ForgottenLine    = forget.ForgottenLine
	ForgottenRef     = store.PurgedRef
	HiddenSource     = forget.HiddenSource
)

// The state of memory.
type (
	TraceRecord    = traces.Record
	Checkup        = diagnose.Checkup
	ClientHook     = diagnose.ClientHook
	ClientSettings = diagnose.ClientSettings
	CostDay        = traces.Day
	CostOptions    = diagnose.CostOptions
	CostSession    = traces.Session
	Excluded       = diagnose.Excluded
	Finding        = diagnose.Finding
	FindingPlace   = diagnose.FindingPlace
	Growth         = diagnose.Growth
	HookCheck      = diagnose.HookCheck
	ClientState    = diagnose.ClientState
	HookEvent      = diagnose.HookEvent
	HookTime       = traces.HookTime
	Injected       = traces.Injected
	Idea           = query.Idea
	IdeaFilter     = query.IdeaFilter
	Entities       = query.Entities
	EntityUse      = query.EntityUse
	IdeaRelation   = graph.Relation
	SessionTopics  = query.SessionTopics
	Topic          = query.Topic
	KindStats      = diagnose.KindStats
	Stats          = diagnose.Stats
	Status         = diagnose.Status
)

// The roles of an answer's citations, see [answer.Role].
const (
	RoleEvidence = answer.RoleEvidence
	RoleLead     = answer.RoleLead
)

// The levels of confidence of an answer.
const (
	High   = answer.High
	Medium = answer.Medium
	Low    = answer.Low
	None   = answer.None
)

// The verdicts of answers.
const (
	Answered    = answer.Answered
	Closest     = answer.Closest
	NotRecorded = answer.NotRecorded
)

// States of a [Finding].
const (
	FindingOK   = diagnose.FindingOK
	FindingWarn = diagnose.FindingWarn
	FindingFail = diagnose.FindingFail
)

// States of [Capture].
const (
	CaptureOn         = workspace.CaptureOn
	CaptureOff        = workspace.CaptureOff
	CapturePaused     = workspace.CapturePaused
	CaptureExcluded   = workspace.CaptureExcluded
	CaptureUnreadable = workspace.CaptureUnreadable
)

// Types returns the types of sources that a query can name: those of team sources, the marks of ideas in the session
// archive, and the parts of transcripts.
func Types() []string { return query.Types() }

// LayerNames returns the names of the layers from which questions are answered.
func LayerNames() []string { return cite.Layers() }

// Agents returns the names of the coding agents whose sessions can be read.
func Agents() []string { return transcript.Clients() }

// HookWords splits the command of a hook of the client into words if it calls gitmem.
func HookWords(command string, args []string) (words []string, ok bool) {
	return diagnose.HookWords(command, args)
}

// ReadSettings reads a file of the client's settings; ok is false if there is none.
func ReadSettings(path string) (s ClientSettings, ok bool) { return diagnose.ReadSettings(path) }

// OpenTrace opens the file to which hooks append the records of a day: in the index folder
// of a store, else in the user's cache.
func OpenTrace(getenv func(string) string, home, cache string, day time.Time) (*os.File, error) {
	return traces.Open(workspace.TraceDirs(getenv, home, cache), day)
}
