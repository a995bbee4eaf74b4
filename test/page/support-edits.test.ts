import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../src/geometry/vector.ts";
import {
  type EditStack,
  NO_EDITS,
  type SupportArea,
  type SupportDraft,
  type SupportEdit,
  type SupportPoint,
  changeOnWire,
  classOf,
  classSizeMm,
  draftAfter,
  freshKey,
  pointInWords,
  rebased,
  redoneOnce,
  undoneOnce,
  withEdit,
} from "../../src/page/action/support-edits.ts";
import { type RequestClock, newestRequests } from "../../src/page/state/newest-requests.ts";
import { fc } from "../fixture/property.ts";

const point = (key: number, position: Vec3, sizeMm = 0.5): SupportPoint => ({
  key,
  position,
  normal: [0, 0, -1],
  sizeMm,
  cause: key < 0 ? "MANUAL" : "OVERHANG",
  isByHand: key < 0,
  isLocked: false,
  isResting: false,
});
const AREA: SupportArea = {
  mode: "NEVER",
  shape: { kind: "BALL", centre: { x: 1, y: 2, z: 3 }, normal: { x: 0, y: 0, z: -1 }, radius_mm: 4 },
};
const COUNT = 6;
const BASE: SupportDraft = {
  points: Array.from({ length: COUNT }, (_, i) => point(i, [10 * i, 0, 0])),
  areas: [],
};

/** Instructions for edits; keys are chosen among the points that there are. */
const steps = fc.array(
  fc.record({
    what: fc.constantFrom("add", "move", "size", "lock", "delete", "areas", "undo", "redo"),
    which: fc.nat(50),
    mm: fc.integer({ min: 1, max: 50 }),
  }),
  { maxLength: 25 },
);

function stackOf(all: readonly { what: string; which: number; mm: number }[]): EditStack {
  let stack = NO_EDITS;
  for (const { what, which, mm } of all) {
    const { points } = draftAfter(BASE, stack.done);
    const key = points[which % Math.max(1, points.length)]?.key;
    if (what === "undo") stack = undoneOnce(stack);
    else if (what === "redo") stack = redoneOnce(stack);
    else if (what === "add") stack = withEdit(stack, { kind: "add", points: [point(freshKey(stack), [mm, 7, 0])] });
    else if (what === "areas") stack = withEdit(stack, { kind: "areas", areas: mm > 25 ? [AREA] : [] });
    else if (key === undefined) continue;
    else if (what === "move") stack = withEdit(stack, { kind: "move", key, position: [mm, 9, 1], normal: [0, 0, -1] });
    else if (what === "size") stack = withEdit(stack, { kind: "size", keys: [key], sizeMm: mm / 10 });
    else if (what === "lock") stack = withEdit(stack, { kind: "lock", keys: [key], isLocked: mm > 25 });
    else stack = withEdit(stack, { kind: "delete", keys: [key] });
  }
  return stack;
}

/** What the interface says of `supports/set`: sizes first, then moves and deletions, then new points. */
function asServer({ edit }: ReturnType<typeof changeOnWire>): unknown[] {
  const points = BASE.points.map(({ position: [x, y, z], sizeMm }) => ({ x, y, z, sizeMm, isLocked: false }));
  for (const { indices, size_mm, locked } of edit.update as {
    indices: number[];
    size_mm?: number;
    locked?: boolean;
  }[]) {
    for (const index of indices) {
      const before = points[index];
      points[index] = { ...before, sizeMm: size_mm ?? before.sizeMm, isLocked: locked ?? before.isLocked };
    }
  }
  for (const { index, position } of edit.move) points[index] = { ...points[index], ...position };
  const kept = points.filter((_, index) => !edit.delete.includes(index));
  return [
    ...kept,
    ...edit.add.map(({ position, size_mm, locked }) => ({ ...position, sizeMm: size_mm, isLocked: locked })),
  ];
}

const sorted = (list: readonly unknown[]): string[] => list.map((one) => JSON.stringify(one)).toSorted();

test("the change that is sent makes the edited points of the present ones", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const draft = draftAfter(BASE, stackOf(all).done);
      const expected = draft.points.map(({ position: [x, y, z], sizeMm, isLocked }) => ({ x, y, z, sizeMm, isLocked }));
      assert.deepEqual(sorted(asServer(changeOnWire(BASE, draft))), sorted(expected));
      assert.equal(new Set(draft.points.map(({ key }) => key)).size, draft.points.length, "keys are unique");
    }),
  );
});

test("edits of different points give the same change in any order", () => {
  const edits: readonly SupportEdit[] = [
    { kind: "size", keys: [0, 3], sizeMm: 0.8 },
    { kind: "delete", keys: [1] },
    { kind: "move", key: 2, position: [1, 1, 1], normal: [0, 0, -1] },
    { kind: "lock", keys: [4], isLocked: true },
    { kind: "areas", areas: [AREA] },
  ];
  const change = (order: readonly SupportEdit[]): object => changeOnWire(BASE, draftAfter(BASE, order));
  fc.assert(
    fc.property(fc.shuffledSubarray([...edits], { minLength: edits.length }), (order) => {
      assert.deepEqual(change(order), change(edits));
    }),
  );
});

test("edits are taken back and made again one by one, and a new edit ends that", () => {
  fc.assert(
    fc.property(steps, fc.nat(30), (all, times) => {
      const stack = { done: stackOf(all).done, undone: [] };
      let other: EditStack = stack;
      for (let i = 0; i < times; i++) other = undoneOnce(other);
      assert.equal(other.done.length, Math.max(0, stack.done.length - times));
      assert.equal(other.undone.length, Math.min(times, stack.done.length));
      const anew = withEdit(other, { kind: "areas", areas: [] });
      assert.deepEqual(redoneOnce(anew).done, anew.done);
      for (let i = 0; i < times; i++) other = redoneOnce(other);
      assert.deepEqual(other, stack);
    }),
  );
});

test("edits follow a part that was moved, and leave out points that are gone", () => {
  const stack = stackOf([
    { what: "size", which: 5, mm: 8 },
    { what: "delete", which: 1, mm: 1 },
    { what: "add", which: 0, mm: 3 },
  ]);
  const by: Vec3 = [1, 2, 3];
  // Points 1 and 2 are gone, so that those behind have other indices.
  const there: SupportDraft = {
    points: BASE.points
      .filter(({ key }) => key !== 1 && key !== 2)
      .map(({ position: [x, y, z] }, i) => point(i, [x + 1, y + 2, z + 3])),
    areas: [],
  };
  const { points } = draftAfter(there, rebased(stack, BASE, there, by).done);
  assert.deepEqual(
    points.map(({ position, sizeMm }) => [...position, sizeMm]),
    [
      [1, 2, 3, 0.5],
      [31, 2, 3, 0.5],
      [41, 2, 3, 0.5],
      [51, 2, 3, 0.8],
      [4, 9, 3, 0.5],
    ],
  );
});

test("classes are factors of the usual size, and the nearest one names a point", () => {
  assert.deepEqual(
    (["LIGHT", "MEDIUM", "HEAVY"] as const).map((one) => classSizeMm(one, 0.5)),
    [0.3, 0.5, 0.8],
  );
  assert.deepEqual(
    [0.1, 0.38, 0.39, 0.63, 0.64, 5].map((mm) => classOf(mm, 0.5)),
    ["LIGHT", "LIGHT", "MEDIUM", "MEDIUM", "HEAVY", "HEAVY"],
  );
  assert.equal(pointInWords(point(11, [0, 0, 0]), 12, true, 0.5), "Point 12, overhang, medium, reached");
});

/** A clock that tests move. */
function testClock(): RequestClock & { pass(ms: number): Promise<void> } {
  let nowMs = 0;
  let plans: { readonly atMs: number; readonly work: () => void }[] = [];
  return {
    now: () => nowMs,
    later: (work, waitMs) => plans.push({ atMs: nowMs + waitMs, work }),
    async pass(ms) {
      for (const end = nowMs + ms; nowMs < end; nowMs++) {
        const due = plans.filter(({ atMs }) => atMs <= nowMs);
        plans = plans.filter(({ atMs }) => atMs > nowMs);
        for (const { work } of due) work();
        // Replies come between the milliseconds.
        for (let i = 0; i < 4; i++) await Promise.resolve();
      }
    },
  };
}

test("of many requests at most ten a second are sent, the last one always, one at a time", async () => {
  const clock = testClock();
  const sent: { readonly input: number; readonly atMs: number }[] = [];
  let running = 0;
  const requests = newestRequests<number>(
    async (input) => {
      assert.equal(++running, 1);
      sent.push({ input, atMs: clock.now() });
      await new Promise<void>((resolve) => clock.later(resolve, input % 3 === 0 ? 130 : 20));
      running--;
    },
    100,
    clock,
  );
  for (let input = 0; input < 100; input++) {
    requests.send(input);
    await clock.pass(7);
  }
  await clock.pass(400);
  assert.equal(sent.at(-1)?.input, 99);
  assert.equal(sent[0].input, 0);
  assert.ok(sent.length >= 6, `${sent.length} were sent`);
  for (const [i, { atMs }] of sent.entries()) assert.ok(i === 0 || atMs - sent[i - 1].atMs >= 100);
});

test("a stopped request sends nothing more, and its reply is not wanted", async () => {
  const clock = testClock();
  const seen: string[] = [];
  const requests = newestRequests<string>(
    async (input, isWanted) => {
      await new Promise<void>((resolve) => clock.later(resolve, 50));
      seen.push(`${input} ${isWanted()}`);
    },
    100,
    clock,
  );
  requests.send("a");
  requests.send("b");
  await clock.pass(10);
  requests.stop();
  await clock.pass(300);
  requests.send("c");
  await clock.pass(300);
  assert.deepEqual(seen, ["a false", "c true"]);
});
