import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../src/core/api-error.ts";
import type { Reply } from "../../fixture/client.ts";
import { inProcess } from "../../fixture/in-process.ts";
import { longTest } from "../../fixture/long.ts";
import { box } from "../../fixture/shapes.ts";
import { binaryStl } from "../../fixture/stl-file.ts";
import { POWDER, RESIN } from "../../fixture/test-server.ts";

// `plan/create` and `plan/open` for powder printers: orders to chambers of 165 × 165 × 300 mm, parts 5 mm apart.

type Body = Reply["body"];

const printwright = inProcess();
const { post, refused, file } = printwright;
/** Eight of it, and no more, are in a chamber: two along each side. */
const BLOCK = file("block.stl", binaryStl(box([70, 72, 140])));
/** Fits between four blocks and a wall only where the blocks leave a gap. */
const PLATE = file("plate.stl", binaryStl(box([140, 40, 8])));
const HUGE = file("huge.stl", binaryStl(box([400, 20, 10])));
const { machine_type, ...MATERIAL } = POWDER;
const FUSE = { printer: "fuse", machine_type, material_code: POWDER.material_code };
const BEGINS = { begins_at: "2026-11-23T06:00:00Z", tries: 2 };
const order = (name: string, fields: object = {}) => ({ order: name, file: BLOCK, ...MATERIAL, ...fields });
const create = (orders: readonly object[], fields: object = {}): Promise<Body> =>
  post("/v1/plan/create/", { orders, printers: [FUSE], ...BEGINS, ...fields });

const countsOf = (plates: readonly Body[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { order: name } of plates.flatMap(({ parts }) => parts)) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

/** Opens a chamber and asserts that its parts have the poses of the plan and keep the distance. */
async function assertOpens({ parts, model_spacing_mm, height_mm, ...plate }: Body): Promise<void> {
  const { material_code, print_setting, layer_thickness_mm } = plate;
  const setting = { machine_type: plate.machine_type, material_code, print_setting, layer_thickness_mm };
  const { scene_id } = await post("/v1/plan/open/", { ...setting, parts });
  const models = await printwright.models(scene_id);
  assert.deepEqual(
    models.map(({ name, position: { x, y, z }, orientation }) => [name, x, y, z, orientation]),
    parts.map((part: Body) => [part.order, part.x_mm, part.y_mm, part.z_mm, part.orientation]),
  );
  assert.ok(models.every(({ in_bounds }) => in_bounds));
  const found = await printwright.ask("validate/interferences", {
    scene_id,
    collision_offset_mm: model_spacing_mm - 1e-3,
  });
  assert.deepEqual(found.interferences, []);
  const top = models.reduce((most, { bounding_box: { max_corner } }) => Math.max(most, max_corner.z), 0);
  assert.ok(Math.abs(top - height_mm) < 1e-3, `${top} ${height_mm}`);
}

test("equal blocks fill chambers as full as they can be, in the order in which they are due", async () => {
  const orders = [
    order("late", { copies: 3, due: "2026-12-24" }),
    order("first", { copies: 8, due: "2026-11-26" }),
    order("second", { copies: 2, due: "2026-11-28", group: "pair" }),
  ];
  const plan = await create(orders);
  assert.deepEqual(countsOf(plan.plates), { late: 3, first: 8, second: 2 });
  assert.deepEqual(
    plan.plates.map(({ parts }: Body) => parts.length),
    [8, 5],
  );
  assert.deepEqual(countsOf(plan.plates.slice(0, 1)), { first: 8 });
  assert.deepEqual([plan.late, plan.unplaced, plan.split_groups, plan.is_cut_off], [[], [], [], false]);
  assert.ok(plan.least_plates >= 1 && plan.least_plates <= 2);
  const [first, second] = plan.plates;
  assert.ok(Date.parse(first.free_at) > Date.parse(first.ends_at), "the chamber cools");
  assert.equal(second.starts_at, first.free_at);
  for (const plate of plan.plates) await assertOpens(plate);
});

test("resin and powder are planned in one request; locked parts are not turned; what cannot be printed is named", async () => {
  const { machine_type: resinType, ...resin } = RESIN;
  const plan = await create(
    [
      order("powder", { file: PLATE, lock_rotation: true, copies: 3 }),
      { order: "resin", file: PLATE, ...resin },
      order("huge", { file: HUGE }),
      order("lying", { file: file("high.stl", binaryStl(box([170, 20, 20]))), lock_rotation: true }),
      order("damaged", { file: file("damaged.stl", "no model") }),
    ],
    { printers: [FUSE, { printer: "left", machine_type: resinType }] },
  );
  assert.deepEqual(
    plan.plates.map((plate: Body) => [plate.printer, plate.parts.map((part: Body) => part.order).join(" ")]).sort(),
    [
      ["fuse", "powder powder powder"],
      ["left", "resin"],
    ],
  );
  const chamber = plan.plates.find(({ printer }: Body) => printer === "fuse");
  assert.ok(chamber.parts.every(({ orientation: { x, y, z } }: Body) => x === 0 && y === 0 && z === 0));
  assert.equal(chamber.model_spacing_mm, 5);
  assert.ok(
    Math.abs(chamber.density - (3 * 140 * 40 * 8) / ((165 ** 2 - (4 - Math.PI) * 100) * chamber.height_mm)) < 1e-6,
  );
  await assertOpens(chamber);
  assert.deepEqual(
    plan.unplaced.map(({ order: name, reason }: Body) => [name, reason]),
    [
      ["damaged", "UNREADABLE"],
      ["huge", "TOO_LARGE"],
      ["lying", "TOO_LARGE"],
    ],
  );
  assert.match(plan.unplaced[1].message, /400 × 20 × 10 mm, and the chamber has room for 165 × 165 × 300 mm/);
  assert.match(plan.unplaced[2].message, /leave out lock_rotation/);
  const part = { file: PLATE, x_mm: 0, y_mm: 0 };
  await refused("/v1/plan/open/", { ...POWDER, parts: [{ ...part, turn_deg: 0 }] }, "INPUT_ERROR", /z_mm and orient/);
  await refused("/v1/plan/open/", { ...RESIN, parts: [{ ...part, z_mm: 0 }] }, "INPUT_ERROR", /neither z_mm nor/);
});

longTest("groups share a chamber if they must, and parts that follow fill what they leave", async () => {
  const orders = [
    order("a", { copies: 6, due: "2026-11-24" }),
    order("b", { copies: 4, due: "2026-11-25", group: "four", max_plates: 1 }),
    order("c", { copies: 3, due: "2026-11-26" }),
  ];
  const plan = await create(orders);
  const { plates, split_groups } = plan;
  assert.deepEqual(countsOf(plates.slice(0, 1)), { a: 6, c: 2 });
  assert.deepEqual(countsOf(plates.slice(1)), { b: 4, c: 1 });
  assert.deepEqual(split_groups, []);
  assert.deepEqual(await create(orders.toReversed()), plan);
  const many = await create([order("d", { copies: 9, group: "nine", max_plates: 1 })]);
  assert.deepEqual(
    many.plates.map(({ parts }: Body) => parts.length),
    [8, 1],
  );
  assert.deepEqual(many.split_groups, [{ group: "nine", plates: [1, 2] }]);
});

longTest("without time each chamber gets one packing, which the plan says", async () => {
  const plan = await create([order("a", { copies: 9 })], { time_limit_s: 0, tries: 9 });
  assert.equal(plan.is_cut_off, true);
  assert.deepEqual(countsOf(plan.plates), { a: 9 });
});

test("a plan of chambers is cancelled while it is made", async () => {
  const orders = Array.from({ length: 30 }, (_, i) => order(`order ${i}`, { copies: 30, file: i % 2 ? PLATE : BLOCK }));
  const running = printwright.start("/v1/plan/create/", { orders, printers: [FUSE], ...BEGINS, tries: 200 });
  const reason = new ApiError("OPERATION_CANCELLED", "No longer wanted.");
  setTimeout(() => running.cancel(reason), 50);
  await assert.rejects(running.answer, { code: "OPERATION_CANCELLED" });
});
