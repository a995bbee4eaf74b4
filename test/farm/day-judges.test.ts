import assert from "node:assert/strict";
import { test } from "node:test";
import type { DayPrinter } from "../fixture/day/day-orders.ts";
import { type JobEvent, type ListedJob, judgeEvents } from "../fixture/day/judge-events.ts";
import { type DayPlan, type DayPlate, type PlanRequest, judgePlan } from "../fixture/day/judge-plan.ts";

// The judges of `bun run test:day` pass what is right, and find each thing that is wrong.

const at = (hours: number): string => new Date(Date.parse("2026-11-30T00:00:00Z") + 3_600_000 * hours).toISOString();
const GREY = { material_code: "grey", layer_thickness_mm: 0.1 };
const line = (order: string, copies: number, due: number) => ({ order, file: "", copies, ...GREY, due: at(due) });
const REQUEST: PlanRequest = {
  orders: [
    { ...line("a", 2, 9), group: "g" },
    { ...line("b", 1, 10.5), group: "g" },
    { ...line("huge", 1, 99), material_code: "clear" },
  ],
  printers: [
    {
      printer: "left",
      machine_type: "A",
      material_code: "clear",
      free_at: at(7),
      starts_from: "08:00",
      starts_until: "20:00",
    },
  ],
  begins_at: at(6),
  change_time_s: 1800,
};
const plate = (number: number, starts: number, orders: readonly string[], rest: Partial<DayPlate>): DayPlate => ({
  plate: number,
  machine_type: "A",
  ...GREY,
  printer: "left",
  starts_at: at(starts),
  ends_at: at(starts + 2),
  print_time_s: 7200,
  is_late: true,
  late_reason: "HOURS",
  parts: orders.map((order) => ({ order, file: "" })),
  ...rest,
});
const FIRST = plate(1, 8, ["a", "a"], { due: at(9) });
const SECOND = plate(2, 10, ["b"], { due: at(10.5) });
const PLAN: DayPlan = {
  plates: [FIRST, SECOND],
  late: [
    { order: "a", ends_at: at(10), reason: "HOURS" },
    { order: "b", ends_at: at(12), reason: "CAPACITY" },
  ],
  unplaced: [{ order: "huge", reason: "TOO_LARGE", message: "It is large." }],
  split_groups: [],
};

test("a plan that is right is found right", () => assert.deepEqual(judgePlan(REQUEST, PLAN), []));

const on = (fields: Partial<DayPlate>): DayPlan => ({ ...PLAN, plates: [FIRST, { ...SECOND, ...fields }] });
const WRONG_PLANS: readonly (readonly [what: string, plan: DayPlan, found: RegExp])[] = [
  ["a copy too many", on({ parts: [...SECOND.parts, ...SECOND.parts] }), /b has 2 of 1 copies/],
  ["a copy that is lost", { ...PLAN, plates: [FIRST] }, /b has 0 of 1 copies/],
  [
    "an order that is both",
    { ...PLAN, unplaced: [...PLAN.unplaced, { ...PLAN.unplaced[0], order: "a" }] },
    /a has 2 of/,
  ],
  ["another material", on({ material_code: "clear" }), /mixes/],
  ["another layer", on({ layer_thickness_mm: "0.05" }), /mixes/],
  ["prints that overlap", on({ starts_at: at(9), ends_at: at(11) }), /plate 2 starts/],
  ["a printer that waits", on({ starts_at: at(11), ends_at: at(13) }), /plate 2 starts/],
  ["a print that is too short", on({ ends_at: at(11) }), /is not after its print time/],
  ["a late order without a word", { ...PLAN, late: PLAN.late.slice(0, 1) }, /b is late without a word/],
  [
    "a false word",
    { ...PLAN, late: [...PLAN.late, { ...PLAN.late[0], order: "huge" }] },
    /huge is called late falsely/,
  ],
  ["a wrong end", { ...PLAN, late: [PLAN.late[0], { ...PLAN.late[1], ends_at: at(11) }] }, /b does not end when/],
  ["a plate that should be late", on({ is_late: false }), /plate 2 is late/],
  ["a false reason", on({ late_reason: "TOO_SHORT" }), /TOO_SHORT, although a free printer could/],
  ["a group that is called split", { ...PLAN, split_groups: [{ group: "g" }] }, /split/],
];
for (const [what, plan, found] of WRONG_PLANS)
  test(`${what} is found`, () => assert.match(judgePlan(REQUEST, plan).join("\n"), found));

test("hours and the change of material count", () => {
  const early: DayPrinter = { ...REQUEST.printers[0], starts_from: "07:00" };
  assert.match(judgePlan({ ...REQUEST, printers: [early] }, PLAN).join(), /starts .* not .*07:30/);
});

const JOB: ListedJob = { id: "1", key: "k", lane: "plate", state: "done", group: "g", attempt: 2 };
const eventsOf = (...states: readonly string[]): JobEvent[] =>
  states.map((state, i) => ({
    id: `evt ${i}`,
    type: `printwright.job.${state}`,
    subject: "job/1",
    sequence: String(2 * i),
    data: { key: "k", lane: "plate", group: "g", attempt: i < 3 ? 1 : 2 },
  }));
const RIGHT = eventsOf("ready", "running", "ready", "running", "done");

test("events that are right are found right, also where some come twice", () => {
  assert.deepEqual(judgeEvents([JOB], RIGHT), []);
  assert.deepEqual(judgeEvents([JOB], [...RIGHT, ...RIGHT]), []);
});

const WRONG_EVENTS: readonly (readonly [what: string, events: readonly JobEvent[], job?: Partial<ListedJob>])[] = [
  ["a job without events", []],
  ["a lost begin", RIGHT.slice(1)],
  ["a lost end", RIGHT.slice(0, -1)],
  ["a lost attempt", RIGHT.filter((_, i) => i !== 2)],
  ["an end that comes twice", [...RIGHT, { ...RIGHT[4], id: "evt 9", sequence: "99" }]],
  ["another order", [RIGHT[0], RIGHT[1], RIGHT[3], RIGHT[2], RIGHT[4]]],
  ["events of a job that is not there", [...RIGHT, { ...RIGHT[4], id: "evt 9", sequence: "99", subject: "job/2" }]],
  ["another state", RIGHT, { state: "running" }],
  ["another attempt", RIGHT, { attempt: 3 }],
  ["another key", RIGHT, { key: "other" }],
];
for (const [what, events, job] of WRONG_EVENTS)
  test(`${what} is found`, () => assert.notDeepEqual(judgeEvents([{ ...JOB, ...job }], events), []));
