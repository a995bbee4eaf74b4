import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { runCommand } from "../fixture/command.ts";

const scriptFor = async (shell: string): Promise<string> => {
  const { status, stdout, stderr } = await runCommand(["completion", shell], tmpdir());
  assert.equal(status, 0, stderr);
  return stdout;
};

const isThere = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

test("bash completes commands, options and printers", { skip: !isThere("bash") }, async () => {
  const script = await scriptFor("bash");
  const cases: [words: string[], completions: string[]][] = [
    [["printwright", "sli"], ["slice"]],
    [["printwright", "slice", "--hol"], ["--hollow"]],
    [
      ["printwright", "slice", "--printer", "PRUSA"],
      ["PRUSA-SL1", "PRUSA-SL1S"],
    ],
    [
      ["printwright", "--port", "1", "--no"],
      ["--no-keep", "--no-page"],
    ],
    [["printwright", "completion", "f"], ["fish"]],
    // Files are the shell's.
    [["printwright", "slice", "part"], [""]],
  ];
  const calls = cases.map(([words]) => {
    const set = `COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}`;
    return `${set}; _printwright; echo "\${COMPREPLY[*]}"\n`;
  });
  // One shell for all: reading the script takes it a second.
  const { stdout, stderr } = spawnSync("bash", ["--norc"], {
    input: `${script}\n${calls.join("")}`,
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  const completions = stdout.split("\n").slice(0, -1);
  assert.deepEqual(
    completions.map((line) => line.split(" ")),
    cases.map(([, expected]) => expected),
  );
});

test("zsh and fish, if installed, accept their scripts without an error", async () => {
  for (const shell of ["zsh", "fish"]) {
    const script = await scriptFor(shell);
    for (const word of ["slice", "printwright", "FORM-4-0", "output-format"]) assert.ok(script.includes(word));
    if (!isThere(shell)) continue;
    const { status, stderr } = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
    assert.deepEqual([status, stderr], [0, ""]);
  }
});

test("help and version end with status 0 wherever they are in the command line", async () => {
  const usages = ["-h", "--help", "help", "help help", "help slice", "slice -h", "slice --bogus --help", "--port x -h"];
  for (const words of usages) {
    const { status, stdout } = await runCommand(words.split(" "), tmpdir());
    assert.equal(status, 0, words);
    assert.match(stdout, /^Usage: printwright /);
  }
  const versions = ["version", "--version", "slice --version"].map(async (words) =>
    runCommand(words.split(" "), tmpdir()),
  );
  const [first, ...others] = await Promise.all(versions);
  assert.match(first.stdout, /^\d+\.\d+\.\d+\n$/);
  for (const other of others) assert.deepEqual(other, first);
});
