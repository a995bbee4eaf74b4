import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../src/core/api-error.ts";
import type { Reply } from "../../fixture/client.ts";
import { inProcess } from "../../fixture/in-process.ts";
import { box } from "../../fixture/shapes.ts";
import { binaryStl } from "../../fixture/stl-file.ts";
import { RESIN } from "../../fixture/test-server.ts";

// `plan/create` and `plan/open`: orders to plates, plates to scenes.

type Body = Reply["body"];

const printwright = inProcess();
const { post, refused, file } = printwright;
const SMALL = file("small.stl", binaryStl(box([30, 20, 10])));
const FLAT = file("flat.stl", binaryStl(box([60, 50, 4])));
const HUGE = file("huge.stl", binaryStl(box([400, 20, 10])));
const MATERIAL = { material_code: RESIN.material_code, layer_thickness_mm: RESIN.layer_thickness_mm };
const LEFT = { printer: "left", machine_type: RESIN.machine_type, material_code: RESIN.material_code };
const BEGINS = { begins_at: "2026-11-23T06:00:00Z", tries: 2 };
const order = (name: string, fields: object = {}) => ({ order: name, file: SMALL, ...MATERIAL, ...fields });
const create = (orders: readonly object[], fields: object = {}): Promise<Body> =>
  post("/v1/plan/create/", { orders, printers: [LEFT], ...BEGINS, ...fields });

const ORDERS = [
  order("a", { copies: 30, group: "first", due: "2026-11-24" }),
  order("b", { copies: 12, file: FLAT, due: "2026-11-25" }),
  order("c", { copies: 7, group: "second", max_plates: 1, due: "2026-11-24" }),
];

test("a plan has each part once, is the same for any order of the input, and its plates open as scenes", async () => {
  const plan = await create(ORDERS);
  const counts: Record<string, number> = {};
  for (const part of plan.plates.flatMap(({ parts }: Body) => parts))
    counts[part.order] = (counts[part.order] ?? 0) + 1;
  assert.deepEqual(counts, { a: 30, c: 7, b: 12 });
  assert.deepEqual([plan.late, plan.unplaced, plan.split_groups, plan.is_cut_off], [[], [], [], false]);
  assert.ok(plan.plates.length >= plan.least_plates);
  assert.equal(plan.plates.filter(({ groups }: Body) => groups.includes("second")).length, 1);
  assert.deepEqual(await create(ORDERS.toReversed()), plan);
  for (const { machine_type, material_code, print_setting, layer_thickness_mm, parts } of plan.plates) {
    const setting = { machine_type, material_code, print_setting, layer_thickness_mm };
    const { scene_id, new_model_ids } = await post("/v1/plan/open/", { ...setting, name: "a plate", parts });
    const models = await printwright.models(scene_id);
    assert.deepEqual(
      models.map(({ id, position, orientation: { z }, name }) => [id, name, position.x, position.y, (z + 360) % 360]),
      parts.map((part: Body, i: number) => [
        new_model_ids[i],
        part.order,
        part.x_mm,
        part.y_mm,
        (part.turn_deg + 360) % 360,
      ]),
    );
    assert.ok(models.every(({ in_bounds }) => in_bounds));
    const found = await printwright.ask("validate/interferences", { scene_id, collision_offset_mm: 2 });
    assert.deepEqual(found.interferences, []);
  }
});

test("what is late and what cannot be printed is named, with the reason", async () => {
  const plan = await create([
    order("soon", { due: "2026-11-23T06:10:00Z" }),
    order("huge", { file: HUGE }),
    order("elsewhere", { machine_types: ["FRML-4-0"] }),
    order("unknown", { material_code: "NOTHING" }),
    order("broken", { file: file("broken.stl", "no model") }),
    order("missing", { file: `${SMALL}.stl` }),
  ]);
  assert.deepEqual(
    plan.late.map(({ order: name, due, reason }: Body) => [name, due, reason]),
    [["soon", "2026-11-23T06:10:00.000Z", "TOO_SHORT"]],
  );
  assert.deepEqual(plan.plates[0].late_reason, "TOO_SHORT");
  assert.deepEqual(
    plan.unplaced.map(({ order: name, reason }: Body) => [name, reason]),
    [
      ["broken", "UNREADABLE"],
      ["missing", "UNREADABLE"],
      ["elsewhere", "NO_PRINTER"],
      ["huge", "TOO_LARGE"],
      ["unknown", "NO_PRINTER"],
    ],
  );
  const [broken, missing, elsewhere, huge, unknown] = plan.unplaced.map(({ message }: Body) => message);
  assert.match(broken, /broken\.stl/);
  assert.match(missing, /does not exist/);
  assert.match(elsewhere, /machine_types/);
  assert.match(huge, /400 × 20 × 10 mm/);
  assert.match(unknown, /NOTHING/);
});

test("orders of other machines, materials and layers share no plate; locked parts keep their turn", async () => {
  const orders = [
    order("a", { lock_rotation: true, copies: 3 }),
    order("b", { layer_thickness_mm: 0.05, machine_types: [RESIN.machine_type] }),
    order("c", { machine_types: ["FRML-4-0"] }),
  ];
  const { plates } = await create(orders, { printers: [LEFT, { printer: "large", machine_type: "FRML-4-0" }] });
  assert.deepEqual(
    plates
      .map(({ machine_type, layer_thickness_mm, parts, printer }: Body) => [
        machine_type,
        layer_thickness_mm,
        printer,
        parts.map((part: Body) => part.order).join(""),
      ])
      .sort(),
    [
      ["FORM-4-0", "0.05", "left", "b"],
      ["FORM-4-0", "0.1", "left", "aaa"],
      ["FRML-4-0", "0.1", "large", "c"],
    ],
  );
  const locked = plates.flatMap(({ parts }: Body) => parts).filter((part: Body) => part.order === "a");
  assert.ok(locked.every(({ turn_deg }: Body) => turn_deg === 0));
});

test("without time each plate gets one try, which the plan says", async () => {
  const plan = await create(ORDERS, { time_limit_s: 0, tries: 9 });
  assert.equal(plan.is_cut_off, true);
  assert.deepEqual(
    plan.plates.map(({ parts }: Body) => parts),
    (await create(ORDERS, { tries: 1 })).plates.map(({ parts }: Body) => parts),
  );
});

test("wrong plans are refused, with the way out", async () => {
  const wrong = (orders: readonly object[], fields: object, message: RegExp): Promise<void> =>
    refused("/v1/plan/create/", { orders, printers: [LEFT], ...BEGINS, ...fields }, "INPUT_ERROR", message);
  await wrong([order("a"), order("a")], {}, /order "a" is given twice/);
  await wrong([order("a")], { printers: [LEFT, LEFT] }, /printer "left" is given twice/);
  await wrong([order("a")], { printers: [{ printer: "x", machine_type: "NONE-1" }] }, /"NONE-1", which is unknown/);
  await wrong([order("a")], { printers: [{ ...LEFT, starts_from: "08:00" }] }, /both starts_from and starts_until/);
  const hours = { starts_from: "18:00", starts_until: "07:00" };
  await wrong([order("a")], { printers: [{ ...LEFT, ...hours }] }, /not later than/);
  await wrong([order("a", { file: "a.stl" })], {}, /not an absolute path/);
  await wrong([order("a", { copies: 60_000 }), order("b", { copies: 60_000 })], {}, /more than 100000/);
});

test("a plan is cancelled while it is made", async () => {
  const many = Array.from({ length: 40 }, (_, i) => order(`order ${i}`, { copies: 40, file: i % 2 ? SMALL : FLAT }));
  const running = printwright.start("/v1/plan/create/", { orders: many, printers: [LEFT], ...BEGINS, tries: 200 });
  const reason = new ApiError("OPERATION_CANCELLED", "No longer wanted.");
  setTimeout(() => running.cancel(reason), 50);
  await assert.rejects(running.answer, { code: "OPERATION_CANCELLED" });
});
