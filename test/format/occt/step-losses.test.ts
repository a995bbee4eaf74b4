import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { keywordsOf, productStructure } from "../../../src/format/occt/announced-shapes.ts";
import { missingShapes } from "../../../src/format/occt/missing-shapes.ts";
import { checkStep } from "../../../src/format/occt/step-losses.ts";
import { scanStep } from "../../../src/format/occt/step-scan.ts";
import { type ImportedFile, importFile } from "../../../src/feature/import/import-file.ts";
import type { RepairBehavior } from "../../../src/feature/import/stored-file.ts";
import { longTest } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { boxStep, stepWithUses } from "../../fixture/step-assembly-file.ts";
import { stepFrustum } from "../../fixture/step-solid-file.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const file = temporaryFiles();
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const damageOf = (text: string): string | undefined => checkStep(bytesOf(text), new Set()).damage;
const CAN = stepFrustum(10, 10, 20);
/** Boxes of 2 × 6, 2 × 8 and 2 × 10 mm³; the second one has the third one as a component. */
const PLAIN = await boxStep(3);
const BOXES = stepWithUses(PLAIN, [1, 2]);

const read = (text: string, repairBehavior: RepairBehavior): Promise<ImportedFile> => {
  const options = { chordalToleranceMm: 0.5, angleToleranceDeg: 30 };
  return importFile({ file: file("model.step", text), repairBehavior, split: true, options }, noProgress);
};

/** The statement of an entity in a file: the one with an index, 0-based. */
const statement = (text: string, entity: string, index = 0): string =>
  [...text.matchAll(new RegExp(`^#\\d+=${entity}\\(.*;\\n`, "gm"))][index][0];

const without = (text: string, entity: string, index = 0): string => text.replace(statement(text, entity, index), "");

/** The text with another id in place of the first reference of a statement. */
const misled = (text: string, entity: string, to: string): string => {
  const found = statement(text, entity);
  return text.replace(found, found.replace(/([(,])#\d+/, `$1${to}`));
};

test("sound files have no damage, and the shapes, faces and uses that they place", () => {
  for (const text of [CAN, BOXES]) assert.equal(damageOf(text), undefined);
  const { shapes, unowned, empty, unplaced } = productStructure(scanStep(bytesOf(BOXES))!.instances);
  assert.deepEqual(
    shapes.map(({ faces, uses }) => [faces, uses]),
    [
      [6, 1],
      [6, 1],
      [6, 1],
    ],
  );
  assert.deepEqual([unowned, empty, unplaced], [[], [], []]);
  const twice = productStructure(scanStep(bytesOf(stepWithUses(PLAIN, [0, 1], [0, 1], [1, 2])))!.instances);
  assert.deepEqual(
    twice.shapes.map(({ uses }) => uses),
    [1, 2, 2],
  );
});

test("damage in a text is reported with its ids, its line and its parts", () => {
  assert.match(
    damageOf(without(BOXES, "CLOSED_SHELL", 1))!,
    /: 1 id that .* does not contain \(#\d+\); this affects "box 1"\./,
  );
  assert.match(
    damageOf(misled(CAN, "EDGE_CURVE", "#1"))!,
    /1 reference to instances of a wrong kind \(#1 in #\d+\); .* "twin"/,
  );
  const cut = CAN.replace(/(CLOSED_SHELL\('',\().*;\n/, "$1\n");
  assert.match(damageOf(cut)!, /1 statement that cannot be read \(the first one in line \d+\); this affects "twin"/);
  assert.match(damageOf(CAN.replace("\n#2=", "\n#1="))!, /ids that several instances share/);
  assert.equal(damageOf(CAN.replace("DATA;\n", "DATA;\n#1=APPLICATION_CONTEXT('automotive design');\n")), undefined);
  assert.equal(keywordsOf(scanStep(bytesOf(CAN))!.instances).filter((one) => one === "ADVANCED_FACE").length, 3);
});

test("a missing shape is found by its faces and its name, and a shape with fewer faces is incomplete", () => {
  const placed = [
    { name: "plate", faces: 18, uses: 1 },
    { name: "nut", faces: 8, uses: 3 },
    { name: "cap", faces: 8, uses: 1 },
  ];
  const mesh = (name: string, faces: number) => ({ name, faces });
  const nuts = [mesh("nut", 8), mesh("nut", 8), mesh("nut", 8)];
  const missing = (...made: readonly { name: string; faces: number }[]) => {
    const found = missingShapes(placed, made);
    return { ...found, missing: [...found.missing] };
  };
  assert.deepEqual(missing(...nuts, mesh("cap", 8), mesh("SOLID", 18)), { missing: [], incomplete: [], others: 0 });
  assert.deepEqual(missing(...nuts, mesh("plate", 18)), { missing: [["cap", 1]], incomplete: [], others: 0 });
  assert.deepEqual(missing(mesh("SOLID", 8), mesh("SOLID", 8)).missing, [
    ["plate", 1],
    ["nut", 1],
    ["cap", 1],
  ]);
  assert.deepEqual(missing(...nuts, mesh("cap", 8), mesh("plate", 17)), {
    missing: [],
    incomplete: ["plate"],
    others: 0,
  });
  assert.equal(missing(...nuts, mesh("cap", 8), mesh("plate", 18), mesh("", 1)).others, 1);
});

longTest(
  "a file with lost content is refused under ERROR, and otherwise its rest is read with a warning of the missing parts",
  async () => {
    const cases: readonly [text: string, refused: RegExp, missing: RegExp][] = [
      [without(BOXES, "MANIFOLD_SOLID_BREP", 1), /damaged: .* "box 1"/, /the model lacks: 1 \("box 1"\)/],
      [without(BOXES, "SHAPE_DEFINITION_REPRESENTATION"), /belong to no part/, /belong to no part.*model lacks: 1/],
      [
        without(BOXES, "CONTEXT_DEPENDENT_SHAPE_REPRESENTATION"),
        /without a placement/,
        /without a placement .*1 \("box 2"\)/,
      ],
    ];
    for (const [text, refused, missing] of cases) {
      await assert.rejects(read(text, "ERROR"), (thrown: Error & { code?: string }) => {
        assert.equal(thrown.code, "OPERATION_FAILED");
        assert.match(thrown.message, refused);
        assert.match(thrown.message, /REPAIR or IGNORE/);
        return true;
      });
      const { parts, warnings } = await read(text, "IGNORE");
      assert.ok(parts.length > 0 && parts.length < 4);
      assert.match(warnings.join(" "), missing);
    }
  },
);

test("a solid of a kind that OpenCASCADE does not read is reported", async () => {
  const block = PLAIN.replace(/MANIFOLD_SOLID_BREP\('[^']*',#\d+\)/, "BLOCK('',$,1.,2.,3.)");
  assert.equal(damageOf(block), undefined);
  await assert.rejects(read(block, "ERROR"), { code: "OPERATION_FAILED", message: /the model lacks: 1 \("box 0"\)/ });
});

longTest("a lost line or a wrong reference never removes a solid without a message", async () => {
  const random = randomFrom(28);
  const sound = await read(BOXES, "ERROR");
  assert.deepEqual(sound.warnings, []);
  const lines = BOXES.match(/^#\d+=.*;$/gm)!;
  const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)];
  for (let trial = 0; trial < 60; trial++) {
    const line = pick(lines);
    const others = [...line.matchAll(/(?<=[(,])#\d+/g)];
    const [to] = /^#\d+/.exec(pick(lines))!;
    const target = others.length > 0 && trial % 2 === 1 ? pick(others) : undefined;
    const changed = target ? line.slice(0, target.index) + to + line.slice(target.index + target[0].length) : "";
    const text = BOXES.replace(line, changed);
    let parts: ImportedFile["parts"];
    try {
      ({ parts } = await read(text, "ERROR"));
    } catch {
      continue;
    }
    assert.equal(parts.length, sound.parts.length, `${line} became ${changed}`);
  }
});
