import assert from "node:assert/strict";
import { test } from "node:test";
import { type NumberField, choiceLabel, fieldsOf, labelOf } from "../../src/page/action/form-field.ts";
import { withDefaults } from "../../src/page/action/field-defaults.ts";
import { bodyOf, problemOf } from "../../src/page/action/form-values.ts";

const SCHEMA = {
  type: "object",
  properties: {
    scene_id: { type: "string", format: "uuid" },
    wall_thickness_mm: { type: "number", minimum: 0.1, maximum: 1e6, description: "Walls." },
    count: { type: "integer", minimum: 1, default: 3 },
    scale: { type: "number", exclusiveMinimum: 0 },
    raft_type: { type: "string", enum: ["FULL_RAFT", "NONE"] },
    lock_rotation: { type: "boolean", default: false },
    raft_label_enabled: { type: "boolean" },
    depth_mm: { anyOf: [{ const: "AUTO" }, { type: "number", exclusiveMinimum: 0 }] },
    custom_bounds: { type: "object", properties: { x_min_mm: { type: "number" } } },
    label: { type: "string", minLength: 1, maxLength: 200 },
  },
  required: ["scene_id", "wall_thickness_mm"],
};
const FIELDS = fieldsOf(SCHEMA, [], { depth_mm: "AUTO" });
const field = (name: string) => FIELDS.find((one) => one.name === name)!;

test("a schema becomes fields with labels, units, ranges and defaults; ids have none", () => {
  assert.equal(field("scene_id"), undefined);
  const wall = field("wall_thickness_mm") as NumberField;
  assert.deepEqual(
    [wall.kind, wall.label, wall.unit, wall.minimum, wall.required, wall.help],
    ["number", "Wall thickness", "mm", 0.1, true, "Walls."],
  );
  assert.deepEqual(
    FIELDS.map(({ kind }) => kind),
    ["number", "number", "number", "choice", "switch", "switch", "number", "group", "text"],
  );
  assert.equal((field("depth_mm") as NumberField).word, "AUTO");
});

test("empty fields say which value of the print setting they stand for", () => {
  const defaults = { scale: 1.5, count: 7, wall_thickness_mm: 0.5, raft_type: "FULL_RAFT", raft_label_enabled: false };
  const texts = withDefaults(FIELDS, defaults).map(({ name, emptyText }) => [name, emptyText]);
  const said = Object.fromEntries(texts.filter(([, text]) => text !== undefined));
  assert.deepEqual(said, {
    wall_thickness_mm: "0.5 mm, of the print setting",
    scale: "1.5, of the print setting",
    raft_type: "Auto: full raft",
    raft_label_enabled: "Auto: off",
  });
  assert.deepEqual(withDefaults(FIELDS, undefined), FIELDS);
});

test("names of fields and values become labels", () => {
  assert.deepEqual(labelOf("fill_to_height_mm"), { label: "Fill to height", unit: "mm" });
  assert.deepEqual(labelOf("chordal_tolerance_um"), { label: "Chordal tolerance", unit: "µm" });
  assert.deepEqual(labelOf("enable_honeycomb_infill"), { label: "Honeycomb infill", unit: "" });
  assert.equal(choiceLabel("FULL_RAFT"), "Full raft");
});

test("unchanged fields are not sent, except presets of the page", () => {
  assert.deepEqual(bodyOf(FIELDS, { wall_thickness_mm: 2 }), { wall_thickness_mm: 2, depth_mm: "AUTO" });
  const body = bodyOf(FIELDS, { depth_mm: 4, raft_label_enabled: false, custom_bounds: { x_min_mm: -5 }, label: "" });
  assert.deepEqual([body.depth_mm, body.raft_label_enabled, body.custom_bounds], [4, false, { x_min_mm: -5 }]);
  assert.ok(!("label" in body));
});

test("messages about invalid values name the field and its limit", () => {
  const problem = (values: object) => problemOf(FIELDS, { wall_thickness_mm: 1, ...values });
  assert.equal(problem({}), undefined);
  assert.equal(problem({ wall_thickness_mm: undefined }), "Wall thickness is missing.");
  assert.equal(problem({ wall_thickness_mm: 0.05 }), "Wall thickness must be at least 0.1 mm.");
  assert.equal(problem({ wall_thickness_mm: "thick" }), "Wall thickness is not a number.");
  assert.equal(problem({ scale: 0 }), "Scale must be above 0.");
  assert.equal(problem({ count: 1.5 }), "Count must be a whole number.");
  assert.equal(problem({ depth_mm: -1 }), "Depth must be above 0 mm.");
});

test("a group whose choice is needed is left out until that is chosen", () => {
  const kind = { type: "string", enum: ["GYROID", "STRUTS"] };
  const infill = { type: "object", properties: { kind, cell_size_mm: { type: "number" } }, required: ["kind"] };
  const fields = fieldsOf({ type: "object", properties: { infill } });
  const [group] = fields;
  assert.ok(group?.kind === "group");
  assert.deepEqual([group.fields[0]?.emptyText, group.fields[0]?.required], ["None", false]);
  assert.deepEqual(bodyOf(fields, { infill: { cell_size_mm: 8 } }), {});
  assert.deepEqual(bodyOf(fields, { infill: { cell_size_mm: 8, kind: "STRUTS" } }), {
    infill: { cell_size_mm: 8, kind: "STRUTS" },
  });
});
