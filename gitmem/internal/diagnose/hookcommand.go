package diagnose

import "strings"

// HookWords splits a command of the client into program and arguments, and reports whether it runs one of gitmem's
// hooks: gitmem hook <name>. args is nil if the client passes the command to a shell. A program that was moved or
// renamed by an upgrade (gitmem-1.2, gitmem.exe) is still gitmem.
func HookWords(command string, args []string) (words []string, ok bool) {
	words = append([]string{command}, args...)
	if args == nil {
		words = shellWords(command)
	}
	return words, len(words) >= 3 && words[1] == "hook" && namesGitmem(words[0])
}

func namesGitmem(program string) bool {
	base := strings.TrimSuffix(strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:]), ".exe")
	rest, ok := strings.CutPrefix(base, "gitmem")
	return ok && (rest == "" || strings.ContainsAny(rest[:1], "-_.0123456789"))
}

// shellWords splits a command at blanks outside quotes. It expands nothing.
func shellWords(command string) []string {
	var words []string
	var word strings.Builder
	quote, open := rune(0), false
	for _, r := range command {
		switch said := word.String(); {
		case quote == 0 && r == '\'' && strings.HasSuffix(said, `\`): // a quote between two quoted parts
			word.Reset()
			word.WriteString(strings.TrimSuffix(said, `\`) + "'")
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words
}
