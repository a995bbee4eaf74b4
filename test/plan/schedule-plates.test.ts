import assert from "node:assert/strict";
import { test } from "node:test";
import { runAtOnce } from "../../src/core/steps.ts";
import { type DuePlate, type PlanPrinter, planPrints } from "../../src/plan/schedule-plates.ts";

const HOUR = 3_600_000;
const OPTIONS = { beginsMs: 0, changeMs: HOUR / 2, utcOffsetMs: 0 };

const printer = (id: string, fields: Partial<PlanPrinter> = {}): PlanPrinter => ({
  id,
  machineType: "A",
  material: "grey",
  freeAtMs: 0,
  ...fields,
});
const plate = (hours: number, dueHours: number, fields: Partial<DuePlate> = {}): DuePlate => ({
  machineType: "A",
  material: "grey",
  printMs: hours * HOUR,
  dueMs: dueHours * HOUR,
  ...fields,
});
const inHours = (plates: readonly DuePlate[], printers: readonly PlanPrinter[]) =>
  runAtOnce(planPrints(plates, printers, OPTIONS)).map(({ printer: id, startMs, endMs, reason }) => [
    id,
    startMs / HOUR,
    endMs / HOUR,
    reason,
  ]);

test("plates are printed by due date on the printer on which they end first", () => {
  assert.deepEqual(inHours([plate(4, 20), plate(2, 5), plate(3, Infinity)], [printer("a"), printer("b")]), [
    ["b", 0, 4, undefined],
    ["a", 0, 2, undefined],
    ["a", 2, 5, undefined],
  ]);
});

test("a change of material takes time, and only machines of the type print", () => {
  const printers = [printer("a", { material: "clear" }), printer("b", { machineType: "B" })];
  assert.deepEqual(inHours([plate(1, 9), plate(1, 9), plate(1, 9, { machineType: "B" })], printers), [
    ["b", 0, 1, undefined],
    ["a", 0.5, 1.5, undefined],
    ["a", 1.5, 2.5, undefined],
  ]);
});

test("prints start in the hours of a printer only, also at their ends", () => {
  const open = { hours: { from: 8 * 60, until: 18 * 60 } };
  assert.deepEqual(inHours([plate(10, 99), plate(7, 99), plate(1, 99)], [printer("a", open)]), [
    ["a", 8, 18, undefined],
    ["a", 18, 25, undefined],
    ["a", 32, 33, undefined],
  ]);
  const east = runAtOnce(planPrints([plate(1, 99)], [printer("a", open)], { ...OPTIONS, utcOffsetMs: 2 * HOUR }));
  assert.equal(east[0].startMs, 6 * HOUR);
});

test("the reason of a late plate is what would have brought it in time", () => {
  const reasonOf = (plates: readonly DuePlate[], printers: readonly PlanPrinter[]) =>
    runAtOnce(planPrints(plates, printers, OPTIONS)).at(-1)?.reason;
  assert.equal(reasonOf([plate(4, 3)], [printer("a")]), "TOO_SHORT");
  assert.equal(reasonOf([plate(4, 5), plate(4, 6)], [printer("a")]), "CAPACITY");
  assert.equal(reasonOf([plate(4, 5), plate(4, 8.2, { material: "clear" })], [printer("a")]), "MATERIAL");
  const open = { hours: { from: 0, until: 60 } };
  assert.equal(reasonOf([plate(4, 5), plate(4, 8)], [printer("a", open)]), "HOURS");
  assert.equal(reasonOf([plate(4, 8), plate(4, 8)], [printer("a")]), undefined);
  // The first plate has all the time in the world, the second none.
  const [first] = runAtOnce(planPrints([plate(1, 50), plate(4, 3)], [printer("a", { freeAtMs: HOUR })], OPTIONS));
  assert.equal(first.reason, "TOO_SHORT");
  // A printer that others have is not too slow.
  assert.equal(reasonOf([plate(4, 5)], [printer("a", { freeAtMs: 2 * HOUR })]), "CAPACITY");
  assert.equal(reasonOf([plate(4, 5)], [printer("a", { hours: { from: 120, until: 180 } })]), "HOURS");
});
