import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openSqliteEventLog } from "../../src/farm/events/sqlite-event-log.ts";
import { runCommand } from "../fixture/command.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";

// docs/planner.md: the plan as a table, and the steps of its plates.

const folder = mkdtempSync(join(tmpdir(), "printwright-plan-"));
after(() => rmSync(folder, { recursive: true }));

mkdirSync(join(folder, "parts"));
writeFileSync(join(folder, "parts", "a.stl"), binaryStl(box([60, 40, 8])));
const ORDERS = {
  orders: [
    { order: "1", group: "ann", file: "parts/a.stl", copies: 5, due: "2026-11-30T08:30:00Z" },
    { order: "2", file: "parts/a.stl", copies: 4 },
  ].map((order) => ({ ...order, material_code: "FLGPGR05", layer_thickness_mm: 0.1 })),
  printers: [{ printer: "left", machine_type: "FORM-4-0", material_code: "FLGPGR05" }],
  begins_at: "2026-11-30T08:00:00Z",
};
writeFileSync(join(folder, "orders.json"), JSON.stringify(ORDERS));

/** Carries out the steps of the first plate of a plan, and lists its models. */
async function runSteps(plan: string) {
  const steps = JSON.parse(readFileSync(join(folder, plan, "plate-001.json"), "utf8"));
  const list = { name: "models", request: "scene/model/list", body: { scene_id: { $: "plate.scene_id" } } };
  const ran = await runCommand(["run", "-", "--json"], folder, JSON.stringify([...steps, list]));
  assert.equal(ran.status, 0, ran.stdout);
  const results = ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { steps, resultOf: (name: string) => results.find((one) => one.name === name && one.result).result };
}

test("a plan is printed as a table, and the steps of a plate give its poses", async () => {
  const { status, stdout, stderr } = await runCommand(["plan", "orders.json", "-o", "plates", "--tries", "1"], folder);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^plate {2}printer {2}material/);
  assert.match(stdout, /1 is due 2026-11-30 08:30 and ends .*: too short a time for any printer/);
  const { plates } = JSON.parse(readFileSync(join(folder, "plates", "plan.json"), "utf8"));
  const { steps, resultOf } = await runSteps("plates");
  assert.equal(steps[1].body.file, "parts/a.stl");
  assert.deepEqual(resultOf("distances").interferences, []);
  assert.deepEqual(
    resultOf("models").models.map(({ position: { x, y }, name }: any) => [name, x, y]),
    plates[0].parts.map(({ order, x_mm, y_mm }: any) => [order, x_mm, y_mm]),
  );
  assert.ok(readFileSync(join(folder, "plates", "plate-001.form")).length > 0);
});

test("a plan is written into the events of a queue once, each order after its plates", async () => {
  const orders = { ...ORDERS, orders: ORDERS.orders.map((one) => ({ ...one, order: `${one.order}/ä` })) };
  const huge = { ...orders.orders[1], order: "huge", material_code: "NONE" };
  writeFileSync(join(folder, "named.json"), JSON.stringify({ ...orders, orders: [...orders.orders, huge] }));
  const words = ["plan", "named.json", "-q", "--tries", "1", "--queue", "queue.sqlite"];
  for (let i = 0; i < 2; i++) {
    const { status, stderr } = await runCommand(words, folder);
    assert.equal(status, 0, stderr);
  }
  const log = await openSqliteEventLog(join(folder, "queue.sqlite"));
  const events = await log.read(0, 100);
  await log.close();
  const plates = events.filter(({ type }) => type === "plate.planned");
  assert.ok(plates.length > 0 && new Set(plates.map(({ subject }) => subject)).size === plates.length);
  assert.equal(
    plates.reduce((sum, { data }) => sum + Number(data["parts"]), 0),
    9,
  );
  const rest = events.slice(plates.length);
  assert.deepEqual(
    rest.map(({ type, subject }) => `${subject} ${type}`),
    [
      "order/1%2F%C3%A4 order.planned",
      "order/2%2F%C3%A4 order.planned",
      "order/1%2F%C3%A4 order.late",
      "order/huge order.unplaced",
    ],
  );
  const [first, , late] = rest;
  const known = new Set(plates.map(({ subject }) => subject));
  assert.ok((first!.data["plates"] as string[]).every((id) => known.has(`plate/${id}`)));
  assert.equal(late?.data["reason"], "TOO_SHORT");
  assert.equal(late?.data["ends_at"], first?.data["ends_at"]);
});

test("no plate of an earlier plan is left beside those of a plan", async () => {
  const again = join(folder, "again");
  mkdirSync(again);
  for (const name of ["plate-001.json", "plate-077.json", "notes.json"]) writeFileSync(join(again, name), "[]");
  const { status, stderr } = await runCommand(["plan", "orders.json", "-o", "again", "-q", "--tries", "1"], folder);
  assert.equal(status, 0, stderr);
  const { plates } = JSON.parse(readFileSync(join(again, "plan.json"), "utf8"));
  const steps = plates.map((_: unknown, i: number) => `plate-00${i + 1}.json`);
  assert.deepEqual(readdirSync(again).sort(), ["notes.json", "plan.json", ...steps]);
});

test("the steps of a chamber give its poses, and its parts keep the distance of powder", async () => {
  writeFileSync(join(folder, "parts", "b.stl"), binaryStl(box([90, 50, 20])));
  const orders = [{ order: "b", file: "parts/b.stl", copies: 3, material_code: "FLP11C01", layer_thickness_mm: 0.11 }];
  const printers = [{ printer: "fuse", machine_type: "FS30-1-0" }];
  writeFileSync(join(folder, "powder.json"), JSON.stringify({ ...ORDERS, orders, printers }));
  const { status, stdout, stderr } = await runCommand(
    ["plan", "powder.json", "-o", "chambers", "--tries", "1"],
    folder,
  );
  assert.equal(status, 0, stderr);
  assert.match(stdout, /chamber, \d+ mm, \d+ % full/);
  assert.match(stdout, /^1 chamber with 3 parts;/m);
  const [{ parts }] = JSON.parse(readFileSync(join(folder, "chambers", "plan.json"), "utf8")).plates;
  const ran = await runSteps("chambers");
  assert.equal(ran.steps.at(-2).body.collision_offset_mm, 4.999);
  assert.deepEqual(ran.resultOf("distances").interferences, []);
  assert.deepEqual(
    ran.resultOf("models").models.map(({ position: { x, y, z }, orientation }: any) => [x, y, z, orientation]),
    parts.map(({ x_mm, y_mm, z_mm, orientation }: any) => [x_mm, y_mm, z_mm, orientation]),
  );
});

test("orders that cannot be read are refused before anything begins", async () => {
  writeFileSync(join(folder, "list.json"), "[]");
  for (const [file, message] of [
    ["list.json", /must be \{"orders"/],
    ["none.json", /cannot be read as orders/],
  ] as const) {
    const { status, stderr } = await runCommand(["plan", file], folder);
    assert.equal(status, 2);
    assert.match(stderr, message);
  }
});

test("options that are no numbers are refused with their names", async () => {
  for (const words of [
    ["--tries", "many"],
    ["--time-limit", "5min"],
  ]) {
    const { status, stderr } = await runCommand(["plan", "orders.json", ...words], folder);
    assert.equal(status, 2);
    assert.match(stderr, new RegExp(`${words[0]} must be a number, not "${words[1]}"`));
  }
});
