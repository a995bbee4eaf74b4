import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { ApiError } from "../../src/core/api-error.ts";
import { withFileErrors } from "../../src/core/file-error.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();
const existing = file("part.stl", new Uint8Array(1));
const folder = dirname(existing);

function messageOf(verb: "read" | "write", path: string): string {
  try {
    withFileErrors(verb, path, () => (verb === "read" ? readFileSync(path) : writeFileSync(path, "x")));
  } catch (thrown) {
    return (thrown as ApiError).message;
  }
  assert.fail(`${path} can be used`);
}

const CASES: [verb: "read" | "write", path: string, why: string][] = [
  ["read", join(folder, "prat.stl"), "it does not exist, but its folder does; check the name"],
  [
    "read",
    join(folder, "parts", "new", "a.stl"),
    `its folder does not exist; of its path ${JSON.stringify(folder)} exists; create the folder or check the path`,
  ],
  [
    "write",
    join(folder, "parts", "a.form"),
    `its folder does not exist; of its path ${JSON.stringify(folder)} exists; create the folder or check the path`,
  ],
  ["read", join(existing, "a.stl"), `${JSON.stringify(existing)} in its path is a file, not a folder; check the path`],
  [
    "write",
    join(existing, "b", "a.form"),
    `${JSON.stringify(existing)} in its path is a file, not a folder; check the path`,
  ],
  ["write", folder, "it is a folder; give the path of a file"],
  ["read", join(folder, "a\0b"), "its path holds a NUL character, which no file name can have; remove it"],
];

for (const [verb, path, why] of CASES) {
  test(`${verb} ${JSON.stringify(path.slice(folder.length))}: ${why.slice(0, 50)}`, () => {
    assert.equal(messageOf(verb, path), `Cannot ${verb} ${JSON.stringify(path)}: ${why}.`);
  });
}
