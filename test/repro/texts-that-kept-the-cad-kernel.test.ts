import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { importFile } from "../../src/feature/import/import-file.ts";
import { brepText } from "../fixture/brep-file.ts";
import { boxFaces, igesText } from "../fixture/iges-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { longTest } from "../fixture/long.ts";

const file = temporaryFiles();
const read = async (name: string, text: string | Uint8Array): Promise<number> => {
  const options = { chordalToleranceMm: 0.5, angleToleranceDeg: 20 };
  const request = { file: file(name, text), repairBehavior: "IGNORE", split: false, options } as const;
  const { parts } = await importFile(request, noProgress);
  return Math.round(parts[0].mesh.volumeMm3);
};

const BRACKET = readFileSync(new URL("../../assets/demo/bracket.step", import.meta.url), "utf8");
const IGES = igesText(boxFaces([10, 20, 30]));
const BREP = brepText({ size: [10, 20, 30], at: [0, 0, 0] });

test("numbers beyond double precision, with which the kernel computed endlessly, are refused", async () => {
  const direction = "DIRECTION('',(0.,1.))";
  for (const number of ["1.E999", "1.0e+0400", "9".repeat(400)]) {
    const text = BRACKET.replace(direction, `DIRECTION('',(${number},1.))`);
    assert.notEqual(text, BRACKET);
    await assert.rejects(read("part.step", text), { code: "OPERATION_FAILED", message: /number without bounds/ });
  }
  const iges = IGES.replace("10.,0.,", "1.D999,");
  assert.notEqual(iges, IGES);
  await assert.rejects(read("part.igs", iges), { code: "OPERATION_FAILED", message: /number without bounds/ });
});

test("a flag of more than 32 bits, at which the kernel did not end, is refused", async () => {
  const flags = " 1e-07 1 1 0\n";
  assert.ok(BREP.includes(flags));
  const text = BREP.replace(flags, " 1e-07 1 1 4294967296\n");
  await assert.rejects(read("part.brep", text), { code: "OPERATION_FAILED", message: /no BREP file/ });
});

test("a blank character that C does not treat as one, at which the kernel did not end, is refused", async () => {
  const edge = "\n1  1 0 0 10\n";
  assert.ok(BREP.includes(edge));
  for (const damaged of ["\n1 \u00A01 0 0 10\n", "\n1  1\u00A00 0 10\n"]) {
    const text = Buffer.from(BREP.replace(edge, damaged), "latin1");
    await assert.rejects(read("part.brep", text), { code: "OPERATION_FAILED", message: /no BREP file/ });
  }
});

longTest("zeros after a text, which the kernel read for minutes, are left out", async () => {
  const zeros = "\0".repeat(4_000_000);
  assert.equal(await read("part.igs", IGES + zeros), 6000);
  assert.equal(await read("part.brep", BREP + zeros), 6000);
  assert.equal(await read("part.step", BRACKET + zeros), await read("part.step", BRACKET));
});
