import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { longTest } from "../fixture/long.ts";
import { runCommand } from "../fixture/command.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// A `.cxdlp` job states no resin: the job that was made of it stated 0 ml.

longTest("a job made of one that states no resin states that of its layers", async () => {
  const part = temporaryFiles()("part.stl", binaryStl(box([4, 4, 1])));
  const folder = dirname(part);
  const sliced = await runCommand(["slice", part, "--printer", "CREALITY-CL-89", "-o", "part.cxdlp"], folder);
  assert.equal(sliced.status, 0, sliced.stderr);
  const converted = await runCommand(["job", "convert", "part.cxdlp", "--printer", "Mars 4", "-o", "part.goo"], folder);
  assert.equal(converted.status, 0, converted.stderr);
  const { header } = readGoo(readFileSync(join(folder, "part.goo")));
  assert.ok(Math.abs(header.volumeMm3 - 16) < 0.2, `${header.volumeMm3} mm³`);
  assert.ok(header.weightG > 0.015);
});
