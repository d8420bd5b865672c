package archiving

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/config"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// archivable lists the transcripts that may be archived: those of Claude Code, and those of the agents that the
// configuration or the caller names.
func (s *Archives) archivable(agents ...string) ([]transcript.File, []error) {
	files, problems := transcript.Files(s.ws.ClientDir)
	for _, agent := range s.archivedAgents(agents) {
		more, errs := s.ws.Stores().Files(agent)
		files, problems = append(files, more...), append(problems, errs...)
	}
	return files, problems
}

// archivedAgents returns the agents besides Claude Code whose sessions are archived, together with more.
func (s *Archives) archivedAgents(more []string) []string {
	names := slices.Concat(s.ws.Policy().Config.ArchiveAgents, more)
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		return name == transcript.ClaudeCode || !slices.Contains(transcript.Clients(), name)
	})
}

// ArchiveAgent enables or disables the archiving of an agent's sessions. It writes archive_agents into local.yaml. The
// error wraps ErrUsage for an unknown agent.
func (s *Archives) ArchiveAgent(ctx context.Context, agent string, on bool) error {
	known := transcript.Clients()
	if !slices.Contains(known, agent) {
		return fmt.Errorf("%w: no agent is called %q: expected %s", messages.ErrUsage, agent, strings.Join(known, ", "))
	}
	names := s.archivedAgents(nil)
	if agent == transcript.ClaudeCode || slices.Contains(names, agent) == on {
		return nil
	}
	if names = append(names, agent); !on {
		names = slices.DeleteFunc(names, func(name string) bool { return name == agent })
	}
	slices.Sort(names)
	return s.ws.Configure(ctx, func(old []byte) ([]byte, error) { return config.WithArchiveAgents(old, names) })
}

// allow enables the agents that the caller names, and counts the sessions of agents that are not enabled.
func (b *backfill) allow(ctx context.Context) error {
	s := b.archives
	for _, agent := range b.o.Agents {
		if b.o.DryRun && slices.Contains(transcript.Clients(), agent) {
			continue
		}
		if err := s.ArchiveAgent(ctx, agent, true); err != nil {
			return err
		}
	}
	if b.o.Only != "" {
		return nil
	}
	allowed := s.archivedAgents(b.o.Agents)
	for _, agent := range transcript.Clients() {
		if agent == transcript.ClaudeCode || slices.Contains(allowed, agent) {
			continue
		}
		files, _ := s.ws.Stores().Files(agent) // unreadable sessions are not counted
		files = slices.DeleteFunc(files, func(f transcript.File) bool { return f.Subagent })
		if len(files) > 0 {
			b.out.LeftOut = append(b.out.LeftOut, AgentSessions{agent, transcript.ClientTitle(agent), len(files)})
		}
	}
	return nil
}
