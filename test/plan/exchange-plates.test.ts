import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "../../src/core/random.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import { type DuePlate, type PlanPrinter, planPrints } from "../../src/plan/schedule-plates.ts";

const HOUR = 3_600_000;
const CHANGE_H = 1;

interface Delays {
  readonly count: number;
  readonly hours: number;
}

const delaysOf = (prints: readonly { readonly dueH: number; readonly endH: number }[]): Delays => ({
  count: prints.filter(({ dueH, endH }) => endH > dueH).length,
  hours: prints.reduce((sum, { dueH, endH }) => sum + Math.max(0, endH - dueH), 0),
});

/** Plates in an order, each on the printer on which it ends first; all printers are free at once and have grey loaded. */
function delaysInOrder(plates: readonly DuePlate[], printers: number): Delays {
  const states = Array.from({ length: printers }, () => ({ freeH: 0, material: "grey" }));
  const prints = plates.map(({ material, printMs, dueMs }) => {
    const ends = states.map((state) => state.freeH + (state.material === material ? 0 : CHANGE_H) + printMs / HOUR);
    const at = ends.indexOf(Math.min(...ends));
    states[at] = { freeH: ends[at], material };
    return { dueH: dueMs / HOUR, endH: ends[at] };
  });
  return delaysOf(prints);
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [i, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(i, 1))) yield [item, ...rest];
  }
}

/** The fewest late plates of all orders that are no worse than a given one in both counts. */
function fewestLate(plates: readonly DuePlate[], printers: number, than: Delays): number {
  let least = than.count;
  for (const order of permutations(plates)) {
    const { count, hours } = delaysInOrder(order, printers);
    if (hours <= than.hours) least = Math.min(least, count);
  }
  return least;
}

function scheduled(plates: readonly DuePlate[], printers: number) {
  const list = Array.from({ length: printers }, (_, i): PlanPrinter => ({
    id: `${i}`,
    machineType: "A",
    material: "grey",
    freeAtMs: 0,
  }));
  const options = { beginsMs: 0, changeMs: CHANGE_H * HOUR, utcOffsetMs: 0 };
  return runAtOnce(planPrints(plates, list, options));
}

/** A printer prints one plate after the other, and changes its material between. */
function assertPossible(prints: ReturnType<typeof scheduled>): void {
  for (const own of Map.groupBy(prints, ({ printer }) => printer).values()) {
    let [freeMs, material] = [0, "grey"];
    for (const { plate, startMs, endMs } of own.toSorted((a, b) => a.startMs - b.startMs)) {
      assert.ok(startMs >= freeMs + (plate.material === material ? 0 : CHANGE_H * HOUR));
      assert.equal(endMs, startMs + plate.printMs);
      [freeMs, material] = [endMs, plate.material];
    }
  }
}

test("exchanges never make plates later, and find most of what the best order of few plates saves", () => {
  const random = seededRandom(11);
  let [given, reached, possible] = [0, 0, 0];
  for (let trial = 0; trial < 40; trial++) {
    const printers = 1 + (trial % 2);
    const plates = Array.from({ length: 5 + (trial % 2) }, (): DuePlate => ({
      machineType: "A",
      material: random() < 0.5 ? "grey" : "clear",
      printMs: HOUR * (1 + Math.floor(5 * random())),
      dueMs: HOUR * (3 + Math.floor((24 / printers) * random())),
    }));
    const before = delaysInOrder(
      plates.toSorted((a, b) => a.dueMs - b.dueMs),
      printers,
    );
    const prints = scheduled(plates, printers);
    const after = delaysOf(prints.map(({ plate, endMs }) => ({ dueH: plate.dueMs / HOUR, endH: endMs / HOUR })));
    assertPossible(prints);
    assert.equal(prints.length, plates.length);
    assert.ok(after.count <= before.count && after.hours <= before.hours);
    given += before.count;
    reached += after.count;
    possible += fewestLate(plates, printers, before);
  }
  assert.ok(given > possible);
  assert.ok(
    given - reached >= 0.7 * (given - possible),
    `${given} late, ${reached} after exchanges, ${possible} at best`,
  );
});
