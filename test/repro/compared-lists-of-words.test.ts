import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import { runCommand } from "../fixture/command.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// A comparison of two formats listed the facts that these state by their places in a list: "exposure.stated.2".

test("what two formats state of an exposure is one difference", async () => {
  const part = temporaryFiles()("part.stl", binaryStl(box([4, 4, 1])));
  const folder = dirname(part);
  const sliced = await runCommand(["slice", part, "--printer", "ANYCUBIC-M5S", "-o", "part.pm5s"], folder);
  assert.equal(sliced.status, 0, sliced.stderr);
  await runCommand(["job", "convert", "part.pm5s", "--printer", "Saturn 3", "-o", "part.goo"], folder);
  const { stdout } = await runCommand(["job", "compare", "part.pm5s", "part.goo", "--json"], folder);
  const { facts } = JSON.parse(stdout) as { facts: { name: string; value?: unknown; other_value?: unknown }[] };
  const stated = facts.filter(({ name }) => name.startsWith("exposure.stated"));
  assert.equal(stated.length, 1);
  assert.equal(stated[0]?.value, "FIRST_LIFT, FIRST_RETRACT, MOTIONS, STAGES, WAIT_AFTER_RETRACT");
  assert.match(String(stated[0]?.other_value), /^FIRST_LIFT, FIRST_LIGHT, FIRST_RETRACT, /);
});
