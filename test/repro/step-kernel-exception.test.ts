import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError } from "../../src/core/api-error.ts";
import { noProgress } from "../../src/core/progress.ts";
import { stepReader } from "../../src/format/occt/step-reader.ts";
import { longTest } from "../fixture/long.ts";

longTest("an exception of the CAD kernel without a text is reported with a message", async () => {
  const folder = mkdtempSync(join(tmpdir(), "step-kernel-exception-"));
  const file = join(folder, "part.step");
  const text = readFileSync(new URL("../../assets/demo/bracket.step", import.meta.url), "utf8");
  const circle = "CIRCLE('',#998,3.3)";
  assert.ok(text.includes(circle));
  writeFileSync(file, text.replace(circle, "CIRCLE('',#998,4294967296)"));
  const reading = stepReader.read(file, { chordalToleranceMm: 0.01, angleToleranceDeg: 5 }, noProgress);
  await assert.rejects(reading, (error) => {
    assert.ok(error instanceof ApiError);
    assert.match(error.message, /the CAD kernel failed on it; import it with a coarser chordal_tolerance_um/);
    return true;
  });
  rmSync(folder, { recursive: true });
});
