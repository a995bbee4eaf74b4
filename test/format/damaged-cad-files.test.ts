import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { noProgress } from "../../src/core/progress.ts";
import { stepOfBreps } from "../../src/format/rhino/brep-step.ts";
import { rhinoLibrary } from "../../src/format/rhino/rhino-library.ts";
import { importFile } from "../../src/worker/import-file.ts";
import { brepText } from "../fixture/brep-file.ts";
import { boxFaces, igesText } from "../fixture/iges-file.ts";
import { slowCases } from "../fixture/long.ts";
import { attributes, boxBrep, rhinoFile } from "../fixture/rhino-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// Formats that libraries in WebAssembly read, which check little of what they are given.

const file = temporaryFiles();
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const SOUND: Readonly<Record<string, Uint8Array>> = {
  "box.igs": utf8(igesText(boxFaces([10, 20, 30]))),
  "box.brep": utf8(brepText({ size: [10, 20, 30], at: [0, 0, 0] })),
  "box.3dm": await rhinoFile((rhino, document) => {
    document.objects().addBrep(boxBrep(rhino, [0, 0, 0], [10, 20, 30]), attributes(rhino));
  }),
  "box.step": utf8(
    stepOfBreps([{ name: "box", brep: boxBrep(await rhinoLibrary(0), [0, 0, 0], [1, 2, 3]), unitMm: 1 }], 1e-3),
  ),
};

/** Reads a damaged file, which is refused with its name or read. */
async function read(name: string, bytes: Uint8Array): Promise<boolean> {
  const options = { chordalToleranceMm: 1, angleToleranceDeg: 30 };
  const request = { file: file(name, bytes), repairBehavior: "IGNORE", split: false, options } as const;
  try {
    await importFile(request, noProgress);
    return true;
  } catch (thrown) {
    assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
    assert.ok(thrown.message.includes(name), thrown.message);
    return false;
  }
}

/** Every 14th percent, or every one. */
const [STEP_PERCENT] = slowCases([14, 1]).toReversed();
const [ZEROS] = slowCases([1e6, 100e6]).toReversed();

for (const [name, whole] of Object.entries(SOUND)) {
  test(`${name} is read whole, and refused or read where it is cut off, empty or full of zeros`, async () => {
    assert.ok(await read(name, whole));
    for (let percent = 0; percent < 100; percent += STEP_PERCENT) {
      await read(name, whole.subarray(0, Math.floor((whole.length * percent) / 100)));
    }
    for (const bytes of [new Uint8Array(0), new Uint8Array(ZEROS)]) assert.ok(!(await read(name, bytes)));
  });
}
