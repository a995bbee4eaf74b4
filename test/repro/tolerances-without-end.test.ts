import assert from "node:assert/strict";
import { ApiError } from "../../src/core/api-error.ts";
import { type Progress, noProgress } from "../../src/core/progress.ts";
import { stepReader } from "../../src/format/occt/step-reader.ts";
import { rhinoReader } from "../../src/format/rhino/rhino-reader.ts";
import { EndlessError } from "../../src/wasm/library.ts";
import { arcCurve, revolved } from "../fixture/rhino-breps.ts";
import { attributes, rhinoFile } from "../fixture/rhino-file.ts";
import { stepTorus } from "../fixture/step-solid-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { longTest } from "../fixture/long.ts";

// A torus at half a degree kept the CAD kernel busy for minutes, and the error named only the chordal tolerance as the way out.

const write = temporaryFiles();
const FINE = { chordalToleranceMm: 0.01, angleToleranceDeg: 0.5 };

/** Fails as if the kernel had exceeded its rounds, which takes minutes. */
const endless: Progress = {
  ...noProgress,
  part: () => endless,
  silent: () => ({
    ...noProgress,
    report() {
      throw new EndlessError(2e10);
    },
  }),
};

const namesTolerances = (thrown: unknown): boolean => {
  assert.ok(thrown instanceof ApiError);
  assert.equal(thrown.code, "OPERATION_FAILED");
  assert.match(
    thrown.message,
    /the CAD kernel failed on it \(it did not end within 20 billion steps, many times what undamaged files take at usual tolerances\); import it with a coarser angle_tolerance_deg than 0\.5 or chordal_tolerance_um than 10, or export the model again/,
  );
  return true;
};

longTest("a STEP file on which the kernel does not end is refused with both tolerances as the way out", async () => {
  await assert.rejects(stepReader.read(write("torus.step", stepTorus(10, 2)), FINE, endless), namesTolerances);
});

longTest("a Rhino file on which the kernel does not end is refused with both tolerances as the way out", async () => {
  const bytes = await rhinoFile((rhino, file) => {
    const bow = arcCurve(rhino, [8, 0, 0], [10, 0, 2], [12, 0, 0]);
    file.objects().addBrep(revolved(rhino, bow, 0, 2 * Math.PI, [false, false]), attributes(rhino));
  });
  // The library of Rhino, which reads the file first, does end.
  const progress = { ...noProgress, part: () => endless };
  await assert.rejects(rhinoReader.read(write("torus.3dm", bytes), FINE, progress), namesTolerances);
});
