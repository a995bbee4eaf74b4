import assert from "node:assert/strict";
import { test } from "node:test";
import occtimportjs from "occt-import-js";
import { noProgress } from "../../src/core/progress.ts";
import { EndlessShapesError, TooFineShapesError, worthRounds } from "../../src/format/occt/kernel-rounds.ts";
import { boundedInstance } from "../../src/wasm/library.ts";
import { importFile } from "../../src/feature/import/import-file.ts";
import { brepText } from "../fixture/brep-file.ts";
import { stepFrustum, stepTorus } from "../fixture/step-solid-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { longTest } from "../fixture/long.ts";

// Damaged numbers kept the CAD kernel busy for minutes: 20 kB for 150 s, 440 kB for 378 s.

const write = temporaryFiles();
const read = (name: string, text: string) =>
  importFile(
    {
      file: write(name, text),
      repairBehavior: "IGNORE",
      split: false,
      options: { chordalToleranceMm: 0.5, angleToleranceDeg: 20 },
    },
    noProgress,
  );

test("points beyond all models are refused before the kernel reads them", async () => {
  const step = stepFrustum(5, 3, 10);
  const at = "CARTESIAN_POINT('',(5.,0.,0.))";
  assert.ok(step.includes(at));
  for (const far of ["4294967295", "-99999999999999999999", "1e308"]) {
    const text = step.replace(at, `CARTESIAN_POINT('',(5.,${far},0.))`);
    await assert.rejects(read("part.step", text), {
      code: "OPERATION_FAILED",
      message: /it is damaged: it holds the coordinate -?\S+, beyond all models; export the model again/,
    });
  }
  const brep = brepText({ size: [10, 20, 30], at: [0, 0, 0] });
  const vertex = /(\nVe\n\S+\n)\S+/;
  assert.match(brep, vertex);
  await assert.rejects(read("part.brep", brep.replace(vertex, "$14294967295")), {
    message: /the coordinate 4\.29e\+9, beyond all models; save it again/,
  });
});

longTest("construction points may be a thousand times as far as models reach", async () => {
  const text = stepFrustum(5, 3, 10).replace("DATA;\n", "DATA;\n#90001=CARTESIAN_POINT('',(0.,9.E8,0.));\n");
  assert.equal((await read("part.step", text)).parts.length, 1);
});

/** The rounds that the kernel needs for a text, and the number of rounds that a coarse trial allows it. */
async function judged(text: string, chordMm: number, angle: number, file = new TextEncoder().encode(text)) {
  const bounds = { maxBytes: 2 ** 29, maxRounds: 1e12 };
  const instance = await boundedInstance("occt-import-js.wasm", bounds, noProgress);
  const parameters = {
    linearUnit: "millimeter",
    linearDeflectionType: "absolute_value",
    linearDeflection: chordMm,
    angularDeflection: angle,
  } as const;
  return worthRounds(instance, { file, read: "ReadStepFile", parameters, maxBytes: 2 ** 29 });
}

test("a sound file gets more rounds for finer tolerances, and an unreadable one gets none", async () => {
  const torus = stepTorus(10, 2);
  const [usual, fine] = [await judged(torus, 0.01, 0.1), await judged(torus, 0.01, 0.01)];
  assert.ok(usual > 1e7 && fine > 5 * usual && fine < 1e11, `${usual}, ${fine}`);
  await assert.rejects(judged("no STEP file", 0.01, 0.1), /did not end within/);
});

test("a file that ends only at the coarsest angle is too fine, not damaged", async () => {
  const bounds = { maxBytes: 2 ** 29, maxRounds: 1e12 };
  const instance = await boundedInstance("occt-import-js.wasm", bounds, noProgress);
  const parameters = {
    linearUnit: "millimeter",
    linearDeflectionType: "absolute_value",
    linearDeflection: 0.0002,
    angularDeflection: 0.1,
  } as const;
  const run = {
    file: new TextEncoder().encode(stepTorus(10, 2)),
    read: "ReadStepFile",
    parameters,
    maxBytes: 2 ** 29,
  } as const;
  /** The rounds for a text whose first `failing` trials do not end. */
  function judge(failing: number): number {
    let trials = 0;
    const sibling: typeof instance.sibling = (own) =>
      instance.sibling(++trials <= failing ? { ...own, maxRounds: 0 } : own);
    return worthRounds({ ...instance, sibling }, run);
  }
  assert.ok(judge(0) > 0);
  assert.throws(() => judge(1), TooFineShapesError);
  assert.throws(() => judge(2), EndlessShapesError);
});

longTest(
  "a file that exceeds its first rounds continues if it is worth more, and otherwise ends with the error",
  async () => {
    const torus = new TextEncoder().encode(stepTorus(10, 2));
    const parameters = {
      linearUnit: "millimeter",
      linearDeflectionType: "absolute_value",
      linearDeflection: 0.1,
      angularDeflection: 0.1,
    } as const;
    async function run(onMaxRounds: () => number): Promise<boolean> {
      const bounds = { maxBytes: 2 ** 29, maxRounds: 1e5, onMaxRounds };
      const { instantiateWasm, check } = await boundedInstance("occt-import-js.wasm", bounds, noProgress);
      const occt = await occtimportjs({ instantiateWasm, print() {}, printErr() {} });
      try {
        return occt.ReadStepFile(torus, parameters).success;
      } finally {
        // The kernel may have caught the error that was thrown inside it.
        check();
      }
    }
    assert.equal(await run(() => 1e12), true);
    await assert.rejects(
      run(() => {
        throw new EndlessShapesError(1e5);
      }),
      EndlessShapesError,
    );
  },
);
