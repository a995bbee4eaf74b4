import assert from "node:assert/strict";
import { test } from "node:test";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import type { ChamberLine } from "../../src/plan/chamber-pool.ts";
import type { ChamberTry, TriedChamber } from "../../src/plan/longest-prefix.ts";
import { type PlannedChamber, planChambers } from "../../src/plan/plan-chambers.ts";
import { randomFrom } from "../fixture/random.ts";

// Chambers of a packer that places parts, the required ones first and large ones first, up to a volume.

const ROOM_MM3 = 1000;
const HEIGHT_MM = 100;

const line = (grownMm3: number, changes: Partial<ChamberLine> = {}): ChamberLine => ({
  grownMm3,
  copies: 1,
  group: undefined,
  maxPlates: 2,
  dueMs: Infinity,
  ...changes,
});

/** A packer whose chambers hold this volume; it ends at the first required part without a place. */
const holding =
  (lines: readonly ChamberLine[], capacityMm3: number, seen: ChamberTry[] = []) =>
  (tries: readonly ChamberTry[]): Promise<TriedChamber[]> => {
    seen.push(...tries);
    return Promise.resolve(
      tries.map((one) => {
        const sizeOf = (i: number): number => lines[one.lines[i]].grownMm3;
        const order = [...one.lines.keys()].sort(
          (a, b) => Number(a >= one.required) - Number(b >= one.required) || sizeOf(b) - sizeOf(a) || a - b,
        );
        const poses: (typeof IDENTITY_POSE | undefined)[] = one.lines.map(() => undefined);
        let usedMm3 = 0;
        for (const i of order) {
          const fits = usedMm3 + sizeOf(i) <= capacityMm3;
          if (!fits && i < one.required) break;
          if (!fits) continue;
          usedMm3 += sizeOf(i);
          poses[i] = IDENTITY_POSE;
        }
        return { poses, heightMm: (HEIGHT_MM * usedMm3) / capacityMm3 };
      }),
    );
  };

async function planned(
  lines: readonly ChamberLine[],
  { capacityMm3 = 600, tries = 6, isOverdue = false, seen = [] as ChamberTry[] } = {},
): Promise<PlannedChamber[]> {
  const request = { lines, roomMm3: ROOM_MM3, roomHeightMm: HEIGHT_MM, tries, isOverdue: () => isOverdue };
  const chambers: PlannedChamber[] = [];
  for await (const one of planChambers(request, holding(lines, capacityMm3, seen), () => {})) chambers.push(one);
  return chambers;
}

/** Parts of each line in each chamber. */
const counts = (lines: readonly ChamberLine[], chambers: readonly PlannedChamber[]): number[][] =>
  chambers.map(({ parts }) => lines.map((_, i) => parts.filter((part) => part.line === i).length));

test("a chamber takes the longest beginning that fits, then what follows and fits beside it", async () => {
  const lines = [line(100, { copies: 5 }), line(150), line(90, { copies: 2 })];
  assert.deepEqual(counts(lines, await planned(lines)), [
    [5, 0, 1],
    [0, 1, 1],
  ]);
});

test("few packings find the longest beginning, whatever a chamber holds", async () => {
  for (const capacityMm3 of [35, 200, 570, 999]) {
    const seen: ChamberTry[] = [];
    const lines = [line(5, { copies: 1000 })];
    const [first] = await planned(lines, { capacityMm3, seen });
    assert.ok(first.parts.length >= 0.93 * Math.floor(capacityMm3 / 5), `${first.parts.length} ${capacityMm3}`);
    const chambers = Math.ceil(5000 / capacityMm3);
    assert.ok(seen.length <= 8 * (chambers + 2) + 12, `${seen.length} packings for ${chambers} chambers`);
  }
});

test("groups are whole where they must be, and divided only if a chamber does not hold them", async () => {
  const whole = { group: "whole", maxPlates: 1 };
  const lines = [line(100, { copies: 4 }), line(150, { ...whole, copies: 2 }), line(100, { ...whole }), line(60)];
  assert.deepEqual(counts(lines, await planned(lines)), [
    [4, 0, 0, 1],
    [0, 2, 1, 0],
  ]);
  const large = [line(100, { ...whole, copies: 7 })];
  assert.deepEqual(counts(large, await planned(large)), [[6], [1]]);
  const begun = [line(100, { copies: 4 }), line(100, { group: "two", copies: 4 })];
  assert.deepEqual(counts(begun, await planned(begun)), [
    [4, 2],
    [0, 2],
  ]);
});

test("without time each chamber has one packing, and one for its gaps", async () => {
  const seen: ChamberTry[] = [];
  const lines = [line(100, { copies: 12 })];
  const chambers = await planned(lines, { isOverdue: true, seen });
  assert.ok(seen.length <= 2 * chambers.length);
  assert.equal(
    chambers.reduce((sum, { parts }) => sum + parts.length, 0),
    12,
  );
});

test("every copy is in one chamber; small groups are in no more chambers than they may be", async () => {
  const random = randomFrom(3411);
  for (let round = 0; round < 60; round++) {
    const lines: ChamberLine[] = [];
    for (let group = 0; group < 12; group++) {
      const maxPlates = 1 + Math.floor(3 * random());
      const name = random() < 0.3 ? undefined : `group ${group}`;
      for (let k = 0; k < 3; k++)
        lines.push(line(5 + 60 * random(), { group: name, maxPlates, copies: 1 + Math.floor(3 * random()) }));
    }
    const chambers = await planned(lines, { capacityMm3: 620, tries: 1 + Math.floor(6 * random()) });
    const perChamber = counts(lines, chambers);
    for (const [i, { copies }] of lines.entries()) {
      assert.equal(
        perChamber.reduce((sum, own) => sum + own[i], 0),
        copies,
      );
    }
    for (const [name, own] of Map.groupBy(lines.keys(), (i) => lines[i].group)) {
      if (name === undefined) continue;
      const volumeMm3 = own.reduce((sum, i) => sum + lines[i].copies * lines[i].grownMm3, 0);
      const used = perChamber.filter((one) => own.some((i) => one[i] > 0)).length;
      if (volumeMm3 <= 620) assert.ok(used <= lines[own[0]].maxPlates, `${name} in ${used}`);
    }
  }
});
