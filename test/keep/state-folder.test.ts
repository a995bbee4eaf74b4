import assert from "node:assert/strict";
import { isAbsolute, resolve } from "node:path";
import { test } from "node:test";
import { readArguments } from "../../src/arguments.ts";
import { defaultStateFolder } from "../../src/core/state-folder.ts";

const keepOf = (...words: string[]) => {
  const command = readArguments(["--port", "0", ...words]);
  return command.kind === "serve" ? command.args.keep : command;
};

test("scenes are kept where a person works, or a folder is named", () => {
  assert.equal(keepOf(), undefined);
  assert.deepEqual(keepOf("--open"), { folder: defaultStateFolder(), isRequired: false });
  assert.equal(keepOf("--open", "--no-keep"), undefined);
  assert.deepEqual(keepOf("--state-folder", "a"), { folder: resolve("a"), isRequired: true });
  const reason = "--state-folder must be a folder, and excludes --no-keep";
  assert.deepEqual(keepOf("--state-folder", ""), { kind: "wrong", reason });
  assert.deepEqual(keepOf("--state-folder", "a", "--no-keep"), { kind: "wrong", reason });
});

test("the usual folder is one of this user", () => {
  assert.ok(isAbsolute(defaultStateFolder()));
  assert.match(defaultStateFolder(), /printwright$/i);
});
