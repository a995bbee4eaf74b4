import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "../../src/core/random.ts";
import { polygonsArea } from "../../src/geometry/polygon.ts";
import { type Floor, floorOf } from "../../src/layout/floor.ts";
import { rotatePolygons } from "../../src/layout/indexed-polygon.ts";
import { fillPlate } from "../../src/plan/fill-plate.ts";
import { type FillRequest, RESCUE_TRY } from "../../src/plan/fill-request.ts";
import { type PlanLine, type PlannedPlate, planPlates } from "../../src/plan/plan-plates.ts";
import { leastPlates } from "../../src/plan/plate-bounds.ts";
import { noProgress } from "../../src/core/progress.ts";
import { plannedArches } from "../fixture/arches.ts";
import { distanceOf, edgesOf, rectangle } from "../fixture/polygons.ts";
import { longTest } from "../fixture/long.ts";

const FORM_4L = floorOf({ dimensionsMm: [353, 196, 350], filletRadiusMm: 5 });
const SPACING_MM = 2;

type Outline = FillRequest["parts"][number]["outline"];

interface Trial {
  readonly outlines: readonly Outline[];
  readonly lines: readonly (Omit<PlanLine, "copies"> & Partial<PlanLine>)[];
  readonly floor?: Floor;
  readonly turnsDeg?: readonly number[];
  readonly tries?: number;
}

const SIXTEEN = Array.from({ length: 16 }, (_, i) => 22.5 * i);

function plan({ outlines, lines, floor = FORM_4L, turnsDeg = SIXTEEN, tries = 2 }: Trial): Promise<PlannedPlate[]> {
  return planPlates(
    {
      floor,
      spacingMm: SPACING_MM,
      shapes: outlines.map((outline) => ({ outline, areaMm2: polygonsArea(outline), turnsDeg })),
      lines: lines.map((line) => ({ copies: 1, ...line })),
      tries,
      isOverdue: () => false,
    },
    async (requests) => requests.map((request) => fillPlate(request, noProgress)),
    () => {},
  );
}

const line = (shape: number, group?: string, maxPlates = 2) => ({ shape, group, maxPlates, dueMs: 0 });

/** The arches of the first patients, in the order of their groups. */
function arches(count: number) {
  const list = plannedArches(count);
  return {
    outlines: list.map(({ ring }) => [ring]),
    lines: list.map(({ group }, i) => line(i, `${group}`)),
  };
}

/** The numbers of the plates of each group. */
function platesOf(plates: readonly PlannedPlate[], lines: readonly { group: string | undefined }[]) {
  const found = new Map<string, Set<number>>();
  for (const [i, { places }] of plates.entries()) {
    for (const { line: index } of places) {
      const { group = "" } = lines[index];
      found.set(group, (found.get(group) ?? new Set()).add(i));
    }
  }
  return found;
}

/** By all pairs of edges, without the code under test. */
function assertApart(plates: readonly PlannedPlate[], outlines: readonly Outline[], floor = FORM_4L): void {
  const { bounds, footprint } = floor;
  for (const { places } of plates) {
    const placed = places.map(({ line: index, turnDeg, x, y }) =>
      edgesOf(rotatePolygons(outlines[index], turnDeg), x, y),
    );
    for (const [i, edges] of placed.entries()) {
      for (const [[x, y]] of edges) {
        assert.ok(x >= bounds.minX && x <= bounds.maxX && y >= bounds.minY && y <= bounds.maxY);
        const [u, v] = [Math.max(0, Math.abs(x) - footprint.a), Math.max(0, Math.abs(y) - footprint.b)];
        if (footprint.r > 0 && u > 0 && v > 0) assert.ok(Math.hypot(u, v) <= footprint.r + 1e-6);
      }
      for (const other of placed.slice(0, i)) {
        const middle = (all: typeof edges) => all.reduce((sum, [[x]]) => sum + x / all.length, 0);
        if (Math.abs(middle(edges) - middle(other)) > 80) continue;
        assert.ok(distanceOf(edges, other) >= SPACING_MM - 1e-6);
      }
    }
  }
}

test("arches of patients: each part once, the distance kept, no patient on more than two plates", async () => {
  const { outlines, lines } = arches(60);
  const plates = await plan({ outlines, lines });
  assert.deepEqual(
    plates.flatMap(({ places }) => places.map((place) => place.line)).sort((a, b) => a - b),
    lines.map((_, i) => i),
  );
  assertApart(plates, outlines);
  for (const [group, on] of platesOf(plates, lines)) assert.ok(on.size <= 2, `patient ${group} is on ${on.size}`);
  const areas = outlines.map((outline) => ({ areaMm2: polygonsArea(outline), copies: 1 }));
  assert.ok(plates.length >= leastPlates(areas, FORM_4L, SPACING_MM));
  assert.deepEqual(await plan({ outlines, lines }), plates);
});

test("a group that must stay whole is on one plate", async () => {
  const { outlines } = arches(70);
  const whole = outlines.map((_, i) => line(i, `patient ${Math.floor(i / 9)}`, 1));
  const plates = await plan({ outlines, lines: whole });
  for (const [group, on] of platesOf(plates, whole)) assert.equal(on.size, 1, group);
  assert.equal(
    plates.reduce((sum, { places }) => sum + places.length, 0),
    70,
  );
});

test("a rescue puts parts of groups that end here before those that are due first", () => {
  const floor = floorOf({ dimensionsMm: [100, 100, 100], filletRadiusMm: 0 });
  const square = rectangle(20, 20);
  const part = { outline: square, areaMm2: 400, turnsDeg: [0] };
  const group = { isBegun: true, isLast: true, areaMm2: 400 };
  const filled = fillPlate(
    {
      floor,
      spacingMm: SPACING_MM,
      parts: [
        { ...part, group: 0, copies: 16 },
        { ...part, group: 1, copies: 4 },
      ],
      groups: [
        { ...group, isBegun: false, isLast: false, areaMm2: 0, urgency: 2 },
        { ...group, areaMm2: 1600, urgency: 0 },
      ],
      capacityMm2: 6400,
      seed: 0,
      fromTry: RESCUE_TRY,
      toTry: RESCUE_TRY + 1,
    },
    noProgress,
  );
  assert.equal(filled.missing, 0);
  assert.equal(filled.places.length, 16);
});

test("parts that are due earlier come first", async () => {
  const { outlines } = arches(60);
  const lines = outlines.map((_, i) => ({ ...line(i, `patient ${i >> 2}`), dueMs: Math.floor(i / 12) }));
  const plates = await plan({ outlines, lines });
  const first = new Set(plates[0].places.map((place) => place.line));
  for (let i = 0; i < 12; i++) assert.ok(first.has(i), `part ${i} is late`);
});

test("equal boxes are packed as in a grid, which is the best", async () => {
  const floor = floorOf({ dimensionsMm: [100, 70, 100], filletRadiusMm: 0 });
  const best = Math.floor((100 + 2) / 12) * Math.floor((70 + 2) / 12);
  const plates = await plan({
    outlines: [rectangle(10, 10)],
    lines: [{ ...line(0), copies: 3 * best }],
    floor,
    turnsDeg: [0],
    tries: 4,
  });
  assert.deepEqual(
    plates.map(({ places }) => places.length),
    [best, best, best],
  );
});

/** Rectangles that a floor was cut into, without the gaps of the cuts. */
function guillotine(width: number, depth: number, pieces: number, random: () => number): [number, number][] {
  if (pieces === 1) return [[width, depth]];
  const isAcross = width > depth;
  const side = isAcross ? width : depth;
  const first = (0.35 + 0.3 * random()) * side;
  const half = pieces >> 1;
  const sizes = [first - SPACING_MM / 2, side - first - SPACING_MM / 2];
  return sizes.flatMap((size, i) =>
    guillotine(isAcross ? size : width, isAcross ? depth : size, i === 0 ? half : pieces - half, random),
  );
}

longTest("platforms that were cut into pieces need few more platforms than they were", async () => {
  const floor = floorOf({ dimensionsMm: [145, 145, 100], filletRadiusMm: 0 });
  const random = seededRandom(3);
  const cut = 12;
  const pieces = Array.from({ length: cut }, () => guillotine(145, 145, 9, random)).flat();
  const outlines = pieces.map(([width, depth]) => rectangle(width, depth));
  const plates = await plan({
    outlines,
    lines: outlines.map((_, i) => line(i)),
    floor,
    turnsDeg: [0, 90],
    tries: 12,
  });
  assertApart(plates, outlines, floor);
  const areas = outlines.map((outline) => ({ areaMm2: polygonsArea(outline), copies: 1 }));
  assert.ok(leastPlates(areas, floor, SPACING_MM) <= cut);
  assert.ok(plates.length <= 1.25 * cut, `${plates.length} plates`);
});

test("the bound of plates is that of squares whose grown areas are known", () => {
  const floor = floorOf({ dimensionsMm: [98, 98, 100], filletRadiusMm: 0 });
  const one = [{ areaMm2: 97 * 97, copies: 3 }];
  assert.equal(leastPlates(one, floor, SPACING_MM), 3);
  assert.equal(leastPlates([{ areaMm2: 98 * 98 * 0.26, copies: 4 }], floor, SPACING_MM), 2);
  assert.equal(leastPlates([], floor, SPACING_MM), 0);
});
