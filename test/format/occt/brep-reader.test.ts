import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ApiError } from "../../../src/core/api-error.ts";
import { noProgress } from "../../../src/core/progress.ts";
import { scanBrepText } from "../../../src/format/occt/brep-grammar.ts";
import { brepReader } from "../../../src/format/occt/brep-reader.ts";
import { importFile } from "../../../src/feature/import/import-file.ts";
import { brepText } from "../../fixture/brep-file.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const file = temporaryFiles();
const ROUGH = { chordalToleranceMm: 0.1, angleToleranceDeg: 10 };
const SOUND = brepText({ size: [10, 20, 30], at: [0, 0, 0] }, { size: [1, 2, 3], at: [50, 0, -7] });

test("each solid is a closed part with the true volume and position, in millimetres or in the forced unit", async () => {
  for (const unitMm of [undefined, 25.4]) {
    const request = { file: file("two.brep", SOUND), repairBehavior: "ERROR", split: true, unitMm } as const;
    const { parts, fileUnitMm } = await importFile({ ...request, options: ROUGH }, noProgress);
    const scale = unitMm ?? 1;
    assert.equal(fileUnitMm, undefined);
    assert.deepEqual(
      parts.map(({ index, name, mesh, originMm }) => {
        const bottomMm = mesh.box.min[2] + (originMm?.[2] ?? 0);
        return [index, name, Math.round(mesh.volumeMm3 / scale ** 3), Number(bottomMm.toFixed(4))];
      }),
      [
        [0, undefined, 6000, 0],
        [1, undefined, 6, Number((-7 * scale).toFixed(4))],
      ],
    );
  }
});

test("files that are not BREP, cut short, or in binary form are refused", async () => {
  const bad = [
    "",
    "solid cube\nendsolid\n",
    SOUND.slice(0, 900),
    "\0".repeat(4096),
    "\nOpen CASCADE Topology V1 (c)\n\x03\0\0",
  ];
  for (const text of bad) {
    await assert.rejects(brepReader.read(file("bad.brp", text), ROUGH, noProgress), (thrown: unknown) => {
      assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
      assert.match(thrown.message, /text form|export/);
      return true;
    });
  }
});

test("the scan accepts a file of the kernel's makers, and no partial file and no false count", () => {
  const text = readFileSync(
    fileURLToPath(
      new URL("../../../node_modules/occt-import-js/test/testfiles/cax-if-brep/as1_pe_203.brep", import.meta.url),
    ),
    "latin1",
  );
  for (const sound of [text, SOUND]) assert.deepEqual(scanBrepText(sound), { solids: 0, shells: 0, faces: 0 });
  for (let percent = 0; percent < 100; percent++)
    assert.ok(!scanBrepText(SOUND.slice(0, (percent / 100) * SOUND.length)), `${percent} %`);
  for (const section of ["Locations", "Curves", "Surfaces", "TShapes"]) {
    for (const lie of ["-1", "4000000000", "1e999", "nan"]) {
      assert.ok(!scanBrepText(SOUND.replace(new RegExp(`${section} \\d+`), `${section} ${lie}`)), `${section} ${lie}`);
    }
  }
});

test("curves nested to any depth are refused without harm", () => {
  assert.ok(!scanBrepText(SOUND.replace(/Curves \d+\n/, `Curves 1\n${"8 0 1 ".repeat(200_000)}`)));
});

test("a solid that a wrong reference leaves out is reported, and refused under ERROR", async () => {
  const lost = SOUND.replace(/(\nCo\n\n1100000\n)(\+\d+) 0 \+\d+/, "$1$2 0 $2");
  assert.deepEqual(scanBrepText(lost), { solids: 1, shells: 0, faces: 0 });
  const request = { file: file("lost.brep", lost), split: true, options: ROUGH } as const;
  const message = /damaged: it contains 1 solid that no other shape uses/;
  await assert.rejects(importFile({ ...request, repairBehavior: "ERROR" }, noProgress), {
    code: "OPERATION_FAILED",
    message,
  });
  const { parts, warnings } = await importFile({ ...request, repairBehavior: "IGNORE" }, noProgress);
  assert.equal(parts.length, 1);
  assert.match(warnings.join(), message);
});
