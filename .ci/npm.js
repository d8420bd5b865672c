#!/usr/bin/env node
// Runs the gitmem of the package for this platform, with the same arguments, streams, signals and exit code.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { isatty } = require("node:tty");

const name = `@gitmem/gitmem-${process.platform}-${process.arch}`;
const windows = process.platform === "win32";
const args = process.argv.slice(2);
let program;
try {
  program = require.resolve(`${name}/gitmem${windows ? ".exe" : ""}`);
} catch {
  console.error(`gitmem: error: the package ${name} is not installed`);
  console.error("gitmem: hint: install @gitmem/gitmem again without --omit=optional; " +
    "https://github.com/gitmem/gitmem#install lists the platforms");
  process.exit(1);
}
if (process.execve && !windows) process.execve(program, [program, ...args], process.env); // Node 22.15 and newer

// A terminal sends Ctrl-C to both processes, and gitmem takes a second one for the wish to end at once.
const byTerminal = windows || [0, 1, 2].some((fd) => isatty(fd));
process.on("SIGINT", () => byTerminal || child.kill("SIGINT"));
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
const child = spawn(program, args, { stdio: "inherit" });
child.on("error", (err) => {
  console.error(`gitmem: error: ${program}: ${err.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(128 + constants.signals[signal]), 1000); // what the signal did not end
});
