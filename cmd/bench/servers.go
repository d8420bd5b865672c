package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// serversRun runs Model Context Protocol servers with one client each.
type serversRun struct {
	*stormRun
	number  int
	tool    string
	servers []*mcpServer
	early   float64 // resident megabytes of the largest server after its first calls
}

// serversReport has the results of one server alone, and of all servers while an indexer runs.
type serversReport struct {
	Messages int         `json:"messages"`
	Tool     string      `json:"tool"`
	Alone    serversSide `json:"alone"`
	Together serversSide `json:"together"`
	Ratio    float64     `json:"p95_ratio"`
}

type serversSide struct {
	Servers  int     `json:"servers"`
	Indexers int     `json:"indexers"`
	Calls    int     `json:"calls"`
	P50      float64 `json:"p50_ms"`
	P95      float64 `json:"p95_ms"`
	Longest  float64 `json:"longest_ms"`
	Indexed  int     `json:"indexed"`  // how often twenty new messages were indexed meanwhile
	Early    float64 `json:"early_mb"` // resident memory of the largest server after 20 calls, 0 for fewer
	Late     float64 `json:"late_mb"`  // after its last call
	Idle     float64 `json:"idle_mb"`  // resident memory of the largest server some seconds later, 0 if unknown
	Left     int     `json:"left"`     // servers that had not ended one second after their clients
}

func serversVerb(s *setup) func(context.Context) (report, error) {
	r := &serversRun{stormRun: &stormRun{}}
	s.corpusFlags()
	s.IntVar(&r.number, "servers", 10, "number of servers")
	s.StringVar(&r.tool, "tool", "memory_search_fts", "what is called of gitmem mcp memory")
	s.DurationVar(&r.span, "for", 20*time.Second, "how long each side runs")
	s.DurationVar(&r.pace, "pace", time.Second, "how often each client calls, and in twice this new messages are indexed")
	return func(ctx context.Context) (report, error) {
		if err := errors.Join(s.checkCorpus(), s.enter(ctx)); err != nil {
			return nil, err
		}
		var err error
		if r.sessions, err = newSessions(ctx, s, "large", 60); err != nil {
			return nil, err
		}
		conf := filepath.Join(r.home.client(), "gitmem", "local.yaml") // the sessions are of many projects
		if err := errors.Join(os.MkdirAll(filepath.Dir(conf), 0o700), os.WriteFile(conf, []byte("cross_project: on\n"),
			0o600)); err != nil {
			return nil, err
		}
		if _, err := r.index(ctx); err != nil {
			return nil, err
		}
		rep := &serversReport{Messages: s.corpus.Size, Tool: r.tool}
		if rep.Alone, err = r.side(ctx, 1, 0); err != nil {
			return nil, err
		}
		rep.Together, err = r.side(ctx, r.number, 1)
		rep.Ratio = rep.Together.P95 / rep.Alone.P95
		return rep, errors.Join(err, r.takeBack())
	}
}

// side measures this many servers and indexers.
func (r *serversRun) side(ctx context.Context, servers, indexers int) (side serversSide, err error) {
	r.tell(fmt.Sprintf("%d servers beside %d indexers for %v", servers, indexers, r.span))
	r.servers, r.searches, r.indexed, r.early = nil, nil, nil, 0
	for range servers {
		server, err := startServer(ctx, r.home, r.gitmem, "mcp", "memory")
		if err != nil {
			return side, err
		}
		r.servers = append(r.servers, server)
		if err := server.call(r.tool, r.typed[0]); err != nil { // the work of each first call
			return side, err
		}
	}
	r.end = time.Now().Add(r.span)
	errs := make([]error, servers+indexers)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			if i < servers {
				errs[i] = r.paced(ctx, i, servers, r.pace, func(_ context.Context, n int) error { return r.asked(r.servers[i], n) })
			} else {
				errs[i] = r.paced(ctx, i-servers, indexers, 2*r.pace, r.bring)
			}
		})
	}
	wg.Wait()
	side = serversSide{Servers: servers, Indexers: indexers, Calls: len(r.searches), P50: percentile(r.searches, 50),
		P95: percentile(r.searches, 95), Longest: percentile(r.searches, 100), Indexed: len(r.indexed)}
	if err := errors.Join(errs...); err != nil {
		return side, err
	}
	side.Early = r.early
	for _, s := range r.servers {
		side.Late = max(side.Late, resident(s.cmd.Process.Pid))
	}
	time.Sleep(4 * time.Second) // until a server has released memory that it does not need
	for _, s := range r.servers {
		side.Idle = max(side.Idle, resident(s.cmd.Process.Pid))
	}
	for _, s := range r.servers {
		if !s.ends() {
			side.Left++
		}
	}
	return side, nil
}

func (r *serversRun) asked(s *mcpServer, n int) error {
	began := time.Now()
	err := s.call(r.tool, r.typed[n%len(r.typed)])
	took := milliseconds(time.Since(began))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.searches = append(r.searches, took)
	if s.last == earlyCalls+1 { // including the setup of a connection
		r.early = max(r.early, resident(s.cmd.Process.Pid))
	}
	return err
}

// earlyCalls is the number of calls after which a server has allocated everything that every call needs.
const earlyCalls = 20

// mcpServer is a running server.
type mcpServer struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	last int
}

// startServer starts a program that serves a model on standard input and output.
func startServer(ctx context.Context, h home, program string, args ...string) (*mcpServer, error) {
	s := &mcpServer{cmd: exec.CommandContext(ctx, program, args...)}
	s.cmd.Dir, s.cmd.Env = h.work(), h.environ()
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = s.request("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]string{"name": "bench", "version": "1"}})
	if err == nil {
		err = json.NewEncoder(s.in).Encode(map[string]string{"jsonrpc": "2.0", "method": "notifications/initialized"})
	}
	return s, err
}

func (s *mcpServer) request(method string, params any) (json.RawMessage, error) {
	s.last++
	if err := json.NewEncoder(s.in).Encode(map[string]any{"jsonrpc": "2.0", "id": s.last, "method": method,
		"params": params}); err != nil {
		return nil, err
	}
	line, err := s.out.ReadBytes('\n')
	var reply struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err == nil {
		err = json.Unmarshal(line, &reply)
	}
	if err == nil && reply.Error != nil {
		err = fmt.Errorf("%s: %s", method, reply.Error)
	}
	return reply.Result, err
}

// use calls a tool of a server.
func (s *mcpServer) use(tool string, arguments map[string]any) (json.RawMessage, error) {
	result, err := s.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err == nil && strings.Contains(string(result), `"isError":true`) {
		err = fmt.Errorf("%s %v: %.300s", tool, arguments, result)
	}
	return result, err
}

// call runs a search on a server, which must find something.
func (s *mcpServer) call(tool, query string) error {
	result, err := s.use(tool, map[string]any{"query": query})
	if err == nil && !strings.Contains(string(result), `transcript:`) {
		err = fmt.Errorf("%s %q: %.300s", tool, query, result)
	}
	return err
}

// ends closes the client's side and reports whether the server ended within a second.
func (s *mcpServer) ends() bool {
	_ = s.in.Close() // the server may have ended
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	select {
	case <-ended:
		return true
	case <-time.After(time.Second):
		_ = s.cmd.Process.Kill()
		<-ended
		return false
	}
}

// resident returns the resident memory of a process in megabytes, 0 if unknown.
func resident(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	found := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(b)
	if err != nil || found == nil {
		return 0
	}
	kb, _ := strconv.ParseFloat(string(found[1]), 64) // digits only
	return kb * 1024 / megabyte
}

func (rep *serversReport) print(out io.Writer) error {
	for _, s := range []serversSide{rep.Alone, rep.Together} {
		fmt.Fprintf(out,
			"%d servers beside %d indexers on %d messages: %d calls of %s: p50 %.0f ms, p95 %.0f ms, longest %.0f ms; %d "+
				"times 20 new messages were indexed; at most %.0f MB each after 20 calls, %.0f MB after all and %.0f MB when "+
				"idle; %d left after their clients\n",
			s.Servers, s.Indexers, rep.Messages, s.Calls, rep.Tool, s.P50, s.P95, s.Longest, s.Indexed, s.Early, s.Late,
			s.Idle, s.Left)
	}
	_, err := fmt.Fprintf(out, "p95 together: %.1f times that of one alone\n", rep.Ratio)
	return err
}
