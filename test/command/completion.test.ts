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
  const complete = (...words: string[]): string[] => {
    const set = `COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}`;
    const { stdout, stderr } = spawnSync("bash", ["--norc"], {
      input: `${script}\n${set}; _printwright; echo "\${COMPREPLY[*]}"\n`,
      encoding: "utf8",
    });
    assert.equal(stderr, "");
    return stdout.trim().split(" ");
  };
  assert.deepEqual(complete("printwright", "sli"), ["slice"]);
  assert.deepEqual(complete("printwright", "slice", "--hol"), ["--hollow"]);
  assert.deepEqual(complete("printwright", "slice", "--printer", "PRUSA"), ["PRUSA-SL1", "PRUSA-SL1S"]);
  assert.deepEqual(complete("printwright", "--port", "1", "--no"), ["--no-keep", "--no-page"]);
  assert.deepEqual(complete("printwright", "completion", "f"), ["fish"]);
  assert.deepEqual(complete("printwright", "slice", "part"), [""], "files are the shell's");
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
