import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS } from "../../../src/feature/endpoints.ts";
import { ApiError } from "../../../src/core/api-error.ts";
import { runAtOnce } from "../../../src/core/steps.ts";
import { readRequest } from "../../../src/http/read-request.ts";

/** The error for a body that an endpoint refuses; undefined if the endpoint accepts it. */
function refusal(path: string, body: unknown): ApiError | undefined {
  const endpoint = ENDPOINTS.find((one) => one.path === path)!;
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  try {
    runAtOnce(readRequest(endpoint, { query: new URLSearchParams(), body: bytes }));
    return undefined;
  } catch (thrown) {
    return thrown as ApiError;
  }
}

const ROTATIONS = "an object with x, y and z, an object with linear or an object with z_direction and x_direction";
const COMBINATION = "an object with machine_type, material_code and layer_thickness_mm";
const ANGLES = { x: 0, y: 0, z: 0 };
const UNIT = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;
const hole = (fields: object) => [{ orientation: ANGLES, position: ANGLES, diameter_mm: 1, depth_mm: 1, ...fields }];
const orient = (orientation: unknown) => ["model/orient", { orientation }] as const;
const drill = (drain_holes: unknown) => ["model/drill", { drain_holes }] as const;
const dental = (fields: object) => ["model/dental-hollow", { extrude_distance_mm: 3, ...fields }] as const;
const flyaround = (keyframes: unknown) =>
  ["render", { file: "/a.webp", flyaround: { keyframes, frame_count: 3 } }] as const;

/** Endpoint below /v1/scene/, the body without its scene_id, and the message. */
const MESSAGES: [path: string, body: object, message: string][] = [
  // Mixed shapes.
  [...orient({ ...ANGLES, linear: UNIT }), `"/orientation/x": cannot be combined with linear: give ${ROTATIONS}.`],
  [
    ...orient({ linear: UNIT, z_direction: [0, 0, 1] }),
    `"/orientation/z_direction": cannot be combined with linear: give ${ROTATIONS}.`,
  ],
  [
    "update",
    { fps_file: "/a.fps", machine_type: "F" },
    `"/machine_type": cannot be combined with scene_id and fps_file: give an object with scene_id, machine_type, material_code and layer_thickness_mm or an object with scene_id and fps_file.`,
  ],
  // Incomplete shapes.
  [
    ...orient({ x: 1, y: 2 }),
    `"/orientation/z": is required: give a number; or in place of this object an object with linear or an object with z_direction and x_direction.`,
  ],
  ["model/orient", {}, `"/orientation": is required: give ${ROTATIONS}.`],
  ["model/duplicate", {}, `"/count": is required: give a whole number.`],
  // Rows of a wrong length.
  [
    ...orient({ linear: [...UNIT.slice(0, 2), [0, 0]] }),
    `"/orientation/linear/2/2": is missing: this list takes 3 entries, not 2.`,
  ],
  [
    ...orient({ linear: [...UNIT.slice(0, 2), [0, 0, 1, 2]] }),
    `"/orientation/linear/2/3": is one too many: this list takes 3 entries, not 4.`,
  ],
  [...orient({ linear: [] }), `"/orientation/linear/0": is missing: this list takes 3 entries, not 0.`],
  // Lists in place of objects, and the other way round.
  [...orient([1, 2, 3]), `"/orientation": must be ${ROTATIONS}, not a list.`],
  ["model/translate", { position: [] }, `"/position": must be an object with x, y and z, not an empty list.`],
  [
    "model/auto-layout",
    { custom_bounds: [] },
    `"/custom_bounds": must be an object with x_min_mm, x_max_mm, y_min_mm and y_max_mm, not an empty list.`,
  ],
  [
    ...drill([[]]),
    `"/drain_holes/0": must be an object with orientation, position, diameter_mm and depth_mm, not an empty list.`,
  ],
  [...drill({}), `"/drain_holes": must be a list of objects, not an object.`],
  ["model/list", { model_ids: "a" }, `"/model_ids": must be a list of texts, not the text "a".`],
  ["model/list", { model_ids: [null] }, `"/model_ids/0": must be a text, not null.`],
  // Empty lists and texts.
  [...drill([]), `"/drain_holes": is an empty list: give at least one entry.`],
  [...flyaround([]), `"/flyaround/keyframes": is an empty list: give at least 2.`],
  [...flyaround([{ yaw: 1, pitch: 1 }]), `"/flyaround/keyframes": has 1 entries: give at least 2.`],
  ["print", { printer: "p", job_name: "" }, `"/job_name": must not be empty.`],
  ["model/import", { file: "" }, "The path is empty: give an absolute path on the server's machine."],
  // Exclusive fields.
  [
    ...dental({ cutoff_height_mm: 1, cutoff_below_gumline_mm: 1 }),
    `"/cutoff_below_gumline_mm": cannot be combined with cutoff_height_mm: leave one of the two out.`,
  ],
  [
    ...dental({ shell_thickness_mm: 1 }),
    `"/shell_thickness_mm": is for hollow true alone: set hollow to true, or leave this field out.`,
  ],
  [
    "model/auto-orient",
    { tilt: 3 },
    `"/tilt": is for mode "DENTAL" alone: set mode to "DENTAL", or leave this field out.`,
  ],
  [
    ...drill(hole({ max_search_distance_mm: 1 })),
    `"/drain_holes/0/max_search_distance_mm": is for depth_mm "AUTO" alone: set depth_mm to "AUTO", or leave this field out.`,
  ],
  // Values out of their range.
  ["model/scale", { scale: 0 }, `"/scale": must be above 0, not 0.`],
  ["model/translate", { position: { ...ANGLES, x: 2e6 } }, `"/position/x": must be at most 1000000, not 2000000.`],
  ["model/duplicate", { count: 0 }, `"/count": must be at least 1, not 0.`],
  ["model/duplicate", { count: 1.5 }, `"/count": must be a whole number, not 1.5.`],
  ["model/update", { name: "x".repeat(1001) }, `"/name": has 1001 characters: 1000 are the most.`],
  [
    "model/update",
    { lock: "LOCK" },
    `"/lock": must be "FREE", "LOCKED_XY_FLIP_ENABLED", "LOCKED_XY_ROTATION_FREE_TRANSLATION", "LOCKED_ROTATION_FREE_TRANSLATION" or "FULLY_LOCKED", not the text "LOCK".`,
  ],
  // Unknown fields.
  [
    "model/scale",
    { scale: 1, factor: 2 },
    `"/factor": this field is unknown here: the fields are scene_id, model_ids and scale.`,
  ],
];

for (const [path, body, message] of MESSAGES) {
  test(`${path} ${JSON.stringify(body).slice(0, 80)}: ${message.slice(0, 60)}`, () => {
    assert.equal(refusal(`/v1/scene/${path}/`, { scene_id: "any", ...body })?.message, message);
  });
}

test("the message of create names both of its forms", () => {
  const message = `"/machine_type": is required: give a text; or in place of this object an object with fps_file.`;
  assert.equal(refusal("/v1/scene/create/", {})?.message, message);
  assert.equal(
    refusal("/v1/scene/create/", { fps_file: "/a.fps", material_code: "A" })?.message,
    `"/material_code": cannot be combined with fps_file: give ${COMBINATION} or an object with fps_file.`,
  );
});

test("the message for a body that is not an object says what the body is", () => {
  const messages = ["", "[]", "3"].map((raw) => refusal("/v1/scene/get/", raw)?.message);
  assert.deepEqual(messages, [
    "The body is not a valid JSON object: it is empty; send {} for no fields.",
    "The body is not a valid JSON object: it is a list, not {…}.",
    "The body is not a valid JSON object: it is a single value, not {…}.",
  ]);
});

const WRONG: readonly unknown[] = [null, true, -1e300, "", "x".repeat(5000), [], [[]], {}, { x: [] }, [1, 2], ["", {}]];

for (const endpoint of ENDPOINTS.filter(({ body }) => body)) {
  test(`${endpoint.path}: the message for a wrong value in any field is a sentence that names the place`, () => {
    const unknown = refusal(endpoint.path, { no_such_field: 1, scene_id: "any" })!;
    const fields = [...unknown.message.matchAll(/\b[a-z]+(?:_[a-z]+)*\b/g)].map(([word]) => word);
    for (const field of new Set(fields)) {
      for (const value of WRONG) {
        const error = refusal(endpoint.path, { [field]: value });
        if (error?.code !== "JSON_SCHEMA_MATCH_ERROR") continue;
        assert.match(error.message, /^"(\/[^"]*)?": [^"].{3,}\.$/s);
        assert.doesNotMatch(error.message, /Invalid|Expected|Received|undefined|never|\[object|another value/);
        assert.ok(error.message.length < 1200, String(error.message.length));
      }
    }
  });
}
