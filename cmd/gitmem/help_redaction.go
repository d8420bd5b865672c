package main

import "github.com/spf13/cobra"

// redactionTopic is what gitmem help redaction tells.
func redactionTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "redaction",
		Short: "What counts as a secret, and what is not caught",
		Long: `Before anything is written, indexed or shown, each secret in it becomes a mark such
as [redacted:password]: tokens of known services, private keys, connection strings,
headers, cookies, and what names, commands, calls, tables and phrases say is one.
What you put between <private> and </private> goes as a whole.

Not caught:
  a drawn value of letters and digits alone: no name, no form of its own, as 32 hex digits
  a mnemonic or a password in a sentence that nothing calls so
  a password that is one plain word, where the form leaves doubt: "it is summer"
  passwords of less than four characters, and words that stand for one: changeme
  what is split over several strings or lines, encrypted, compressed, in a picture,
    or encoded more than once
  a table without a first line of names, or one whose names are in no language of
    gitmem's: English and the common words of ten others
  files that are secrets as a whole, such as .p12, and secrets of your own shapes
  public ids of clients and accounts, and what is personal without being a secret

gitmem doctor --secrets searches what was kept before a form was known, and gitmem
forget takes out what was missed.`,
	}
}
