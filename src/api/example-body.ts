import type { JsonSchema } from "@valibot/to-json-schema";

/**
 * Values of fields whose schema says only that they are strings or numbers. `endpoint:field` applies to one endpoint only, `endpoint:`
 * is its whole body.
 */
const VALUES: Readonly<Record<string, unknown>> = {
  username: "ann",
  password: "open sesame",
  machine_type: "FORM-4-0",
  material_code: "FLGPGR05",
  layer_thickness_mm: 0.1,
  printer: "Left",
  job_name: "plate 7",
  label: "LOT 1",
  font_size_mm: 5,
  depth_mm: 0.5,
  "scene/model/drill:depth_mm": "AUTO",
  diameter_mm: 3.5,
  scale: 1.5,
  plane: { point: { x: 0, y: 0, z: 20 }, normal: { x: 0, y: 0, z: 1 } },
  wall_thickness_mm: 2,
  extrude_distance_mm: 5,
  threshold_mm: 0.5,
  count: 3,
  name: "bracket",
  "scene/save:file": "/jobs/plate.form",
  "scene/open:file": "/jobs/plate.form",
  "scene/render:file": "/jobs/plate.png",
  "scene/export:file": "/jobs/plate.3mf",
  "scene/model/import:file": "/parts/bracket.step",
  "print-setting/save:file": "/jobs/setting.fps",
  "job/inspect:file": "/jobs/plate.ctb",
  "job/layers:file": "/jobs/plate.ctb",
  "job/layers:output_file": "/pictures/plate.png",
  "job/convert:file": "/jobs/plate.ctb",
  "job/convert:output_file": "/jobs/plate.goo",
  "job/compare:file": "/jobs/plate.ctb",
  other_file: "/jobs/earlier.ctb",
  "job/submit:": {
    steps: [
      {
        name: "plate",
        request: "scene/create",
        body: { machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1 },
      },
      { request: "scene/model/import", body: { scene_id: { $: "plate.scene_id" }, file: "part.stl" } },
      { request: "scene/save", body: { scene_ids: [{ $: "plate.scene_id" }], file: "plate.form" } },
    ],
    folder: "/orders/17",
  },
  "calibration/fit:": {
    form_file: "/jobs/calibration.csv",
    resin_code: "ACME-TOUGH",
    output_file: "/settings/machines.json",
  },
  "calibration/plate:": {
    machine_type: "ELEGOO-M5",
    material_code: "GENERIC-RESIN",
    layer_thickness_mm: 0.05,
    exposure_s: 2.4,
    output_file: "/jobs/calibration.goo",
    form_file: "/jobs/calibration.csv",
  },
  "plan/create:": {
    orders: [
      {
        order: "1001-1",
        group: "patient 1001",
        file: "/orders/1001/upper.stl",
        copies: 2,
        material_code: "FLGPGR05",
        layer_thickness_mm: 0.1,
        due: "2026-12-01T12:00:00Z",
      },
    ],
    printers: [{ printer: "left", machine_type: "FRML-4-0", starts_from: "07:00", starts_until: "19:00" }],
    begins_at: "2026-11-30T08:00:00Z",
  },
  "plan/open:": {
    machine_type: "FRML-4-0",
    material_code: "FLGPGR05",
    layer_thickness_mm: 0.1,
    parts: [{ order: "1001-1", file: "/orders/1001/upper.stl", x_mm: -120.5, y_mm: 44, turn_deg: 22.5 }],
  },
  finding_ids: ["d7a859d17556a08a"],
  finding_id: "5f0c9a1be27d4438",
  replacement_model_id: "0b0c6bd5-7a0a-4ab7-8a5b-0f3a3f0a9d42",
  "print-setting/validate:": { machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1 },
  "device/upload-firmware:file": "/firmware/printer.formware",
};

const EXAMPLE_ID = "6f1f2c9e-3f57-4b7e-9c58-0a4f6a3a9b11";

/**
 * A body that the schema accepts, with its required fields only; the first of several shapes. `endpoint` is the path without version
 * and outer slashes. Throws for a required string that has no value in {@link VALUES}.
 */
export const exampleBody = (schema: JsonSchema, endpoint: string): unknown => valueOf(schema, endpoint, "");

function valueOf(schema: JsonSchema, endpoint: string, field: string): unknown {
  const given = VALUES[`${endpoint}:${field}`] ?? VALUES[field];
  if (given !== undefined) return given;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [shape] = (schema.oneOf ?? schema.anyOf ?? []) as JsonSchema[];
  if (schema.properties) {
    const required = [...(schema.required ?? []), ...(shape?.required ?? [])];
    const fields = schema.properties as Readonly<Record<string, JsonSchema>>;
    return Object.fromEntries(required.map((name) => [name, valueOf(fields[name] ?? {}, endpoint, name)]));
  }
  if (shape) return valueOf(shape, endpoint, field);
  if (schema.type === "array") {
    const items = schema.prefixItems ?? [schema.items];
    return items.map((item) => valueOf(item as JsonSchema, endpoint, field));
  }
  if (schema.type === "boolean") return true;
  if (schema.type === "number" || schema.type === "integer") return Math.max(0, schema.minimum ?? 0);
  if (schema.format === "uuid") return EXAMPLE_ID;
  throw new Error(`${endpoint} requires ${field}, which has no value in ${import.meta.filename}: add one.`);
}
