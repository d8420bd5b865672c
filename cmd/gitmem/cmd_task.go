package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newTaskCmd() *cobra.Command {
	var all bool
	c := resultCommand(a, "task", "List the project's open tasks", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) ([]gitmem.Task, error) {
			return m.Tasks().List(ctx, all)
		}, a.printTasks)
	c.Flags().BoolVar(&all, "all", false, "also list completed tasks")
	c.PersistentFlags().BoolVar(&a.json, "json", false, "print the result as JSON")
	c.AddCommand(a.newTaskAddCmd(), a.newTaskSetCmd(), a.newTaskConfirmCmd())
	return c
}

func (a *app) newTaskAddCmd() *cobra.Command {
	return a.taskChange("add <title>", "Add a task", cobra.MinimumNArgs(1), func(args []string) gitmem.TaskChange {
		return gitmem.TaskChange{Title: strings.Join(args, " ")}
	})
}

func (a *app) newTaskSetCmd() *cobra.Command {
	return a.taskChange("set <id> <state> [reason]", "Set the state of a task: pending, in_progress, blocked or completed",
		cobra.MinimumNArgs(2), func(args []string) gitmem.TaskChange {
			return gitmem.TaskChange{ID: args[0], State: args[1], Reason: strings.Join(args[2:], " ")}
		})
}

func (a *app) newTaskConfirmCmd() *cobra.Command {
	return a.changedTask("confirm <id>", "Make what a model wrote of a task your own", cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.TaskChanged, error) {
			return m.Tasks().Confirm(ctx, args[0])
		})
}

// taskChange returns a command that changes a task.
func (a *app) taskChange(use, short string, args cobra.PositionalArgs,
	change func([]string) gitmem.TaskChange) *cobra.Command {
	return a.changedTask(use, short, args,
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.TaskChanged, error) {
			return m.Tasks().Set(ctx, change(args))
		})
}

// changedTask returns a command that works on a task.
func (a *app) changedTask(use, short string, args cobra.PositionalArgs,
	do func(context.Context, *gitmem.Memory, []string) (gitmem.TaskChanged, error)) *cobra.Command {
	return resultCommand(a, use, short, args,
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.TaskChanged, error) {
			t, err := do(ctx, m, args)
			return t, heldHint(err)
		}, func(t gitmem.TaskChanged) { a.printTasks([]gitmem.Task{t.Task}) })
}

func (a *app) printTasks(list []gitmem.Task) {
	for _, t := range list {
		state := t.State
		if t.Reason != "" {
			state += ": " + t.Reason
		}
		fmt.Fprintf(a.out, "%s  %s  [%s]\n", printable(t.Title), printable(state)+t.Trust.Mark(), a.paint(cyan, t.ID))
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, "No task is open.")
	}
}
