#!/usr/bin/env node
// Starts the executable of Printwright, which npm has installed as the optional dependency for this platform.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const { optionalDependencies } = require("./package.json");

function executable() {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const isMusl = platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
  const target = `${platform}-${process.arch}${isMusl ? "-musl" : ""}`;
  const name = Object.keys(optionalDependencies).find((one) => one.endsWith(`/${target}`));
  if (name === undefined) throw new Error(`there is no executable for ${target}: build it from the sources`);
  try {
    return require.resolve(`${name}/${platform === "windows" ? "printwright.exe" : "printwright"}`);
  } catch {
    throw new Error(`the package ${name} is missing: install without --omit=optional, on the machine that runs it`);
  }
}

let child;
// The executable decides how it ends; a terminal sends Ctrl-C to both. Before it starts: a signal that came between would end the launcher
// alone.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
try {
  child = spawn(executable(), process.argv.slice(2), { stdio: "inherit" });
} catch (error) {
  console.error(`printwright: ${error.message}`);
  process.exit(1);
}
child.on("error", (error) => {
  console.error(`printwright: ${error.message}`);
  process.exit(1);
});
child.on("exit", (status, signal) => process.exit(status ?? 128 + constants.signals[signal]));
