import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import type { Reply } from "../fixture/client.ts";
import { fc } from "../fixture/property.ts";
import { box, tetrahedron } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import {
  POWDER,
  RESIN,
  type TestServer,
  UNKNOWN_ID,
  bodyOf,
  codeOf,
  codeOfEnvelope,
  openTestServer,
} from "../fixture/test-server.ts";
import { slowRuns } from "../fixture/long.ts";

// Interface, "Errors"; supplement, section 1: "All or nothing".

const RUNS_PER_ENDPOINT = 60;
/** Endpoints whose runs are slow and whose bodies have few fields. */
const FEWER_RUNS: Readonly<Record<string, number>> = {
  "/v1/scene/model/fill-build-platform/": 30,
  "/v1/scene/model/regenerate-supports/": 30,
  "/v1/scene/model/validate/thin-features/": 30,
  "/v1/scene/print/": 30,
  "/v1/scene/render/": 30,
};
const MAX_SCENES = 6;
const HANG = { timeout: 300_000 };
/** Beyond these the scene is emptied, to keep the runs quick. */
const MANY_MODELS = 25;

/** Small, so that the number of voxels is small for any voxel size. */
const BLOCK_MM = [6, 10, 14] as const;

const jobs = mkdtempSync(join(tmpdir(), "printwright-jobs-"));
const PRINTER = "FORM-4-0=a printer";
let server: TestServer;
before(async () => {
  server = await openTestServer(["--max-scenes", String(MAX_SCENES), "--virtual-printer", PRINTER, "--job-dir", jobs]);
  server.file("cube.stl", binaryStl(box(BLOCK_MM)));
  server.file("spike.stl", binaryStl(tetrahedron(9)));
  server.file("open.stl", binaryStl({ vertices: box([1, 1, 1]).vertices, triangles: Uint32Array.of(0, 1, 2) }));
  server.file("broken.form", "no project");
  server.file("broken.fps", "{");
  const scene_id = await defaultScene();
  bodyOf(await server.printwright.post("/v1/print-setting/save/", { scene_id, file: path("good.fps") }));
  bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file: path("good.form") }));
});
after(async () => {
  await server.close();
  rmSync(jobs, { recursive: true });
});

const path = (name: string): string => join(server.folder, name);
const scenes = async (): Promise<Reply["body"][]> =>
  bodyOf(await server.printwright.call("GET", "/v1/scene/list/")).scenes;
const defaultScene = async (): Promise<string> => (await scenes())[0].id;
const files = (): string[] =>
  readdirSync(server.folder)
    .sort()
    .map((name) => `${name} ${readFileSync(path(name), "base64")}`);

/** The default scene without models and with its first combination: what earlier requests left could make a body fail. */
async function reset(): Promise<void> {
  const scene_id = await defaultScene();
  bodyOf(await server.ask("delete", { scene_id }));
  bodyOf(await server.printwright.post("/v1/scene/update/", { scene_id, ...manual }));
}

/** Few models and few scenes, including the two that the bodies name. */
async function tidy(): Promise<void> {
  const [first, ...others] = await scenes();
  for (const { id } of others.slice(2)) {
    bodyOf(await server.printwright.call("DELETE", "/v1/scene/delete/", { scene_id: id }));
  }
  if (first.models.length > MANY_MODELS) bodyOf(await server.ask("delete", { scene_id: first.id }));
  const { models } = await server.scene(first.id);
  for (let count = models.length; count < 3; count++) await server.importOne(first.id, path("cube.stl"));
}

/** Placeholder in a body, replaced at the time of the request. */
type Placeholder = "$scene" | "$second" | "$a" | "$b" | "$c";

async function resolve(body: unknown): Promise<unknown> {
  const [first, second] = await scenes();
  const [a, b, c] = first.models.map(({ id }: { id: string }) => id);
  const meanings: Record<Placeholder, string> = {
    $scene: first.id,
    $second: second?.id ?? first.id,
    $a: a,
    $b: b,
    $c: c,
  };
  const text = JSON.stringify(body, (_, value) => {
    if (typeof value !== "string") return value;
    return value.startsWith("/files/") ? path(value.slice(7)) : (meanings[value as Placeholder] ?? value);
  });
  return JSON.parse(text);
}

const manual = { ...RESIN, print_setting: "DEFAULT" };
/** A body that succeeds, with every optional field. */
const BODIES: Readonly<Record<string, object>> = {
  "/v1/": {},
  "/v1/scene/create/": manual,
  "/v1/scene/list/": {},
  "/v1/scene/get/": { scene_id: "$scene" },
  "/v1/scene/estimate-print-time/": { scene_id: "$scene" },
  "/v1/scene/metadata/": { scene_id: "$scene" },
  "/v1/scene/calculate-print-time/": { scene_id: "$scene" },
  "/v1/scene/model/validate/cups/": { scene_id: "$scene" },
  "/v1/scene/model/validate/minima/": { scene_id: "$scene" },
  "/v1/scene/model/validate/manifoldness/": { scene_id: "$scene", model_ids: ["$a", "$b"] },
  "/v1/scene/model/validate/interferences/": {
    scene_id: "$scene",
    model_ids: ["$a", "$b"],
    collision_offset_mm: 1,
  },
  "/v1/scene/model/repair/": { scene_id: "$scene", model_ids: ["$a", "$b"] },
  "/v1/scene/model/body-count/": { scene_id: "$scene", model_ids: ["$a", "$b"] },
  "/v1/scene/model/split-bodies/": { scene_id: "$scene", model_ids: ["$a", "$b"] },
  "/v1/scene/model/validate/supportedness/": { scene_id: "$scene" },
  "/v1/scene/model/validate/thin-features/": { scene_id: "$scene", model_ids: ["$a", "$b"], threshold_mm: 1 },
  "/v1/scene/print/": { scene_id: "$scene", printer: "a printer", job_name: "a job" },
  "/v1/scene/render/": { scene_id: "$scene", file: "/files/picture.png" },
  "/v1/scene/delete/": { scene_id: "$second" },
  "/v1/scene/update/": { scene_id: "$scene", ...manual },
  "/v1/scene/save/": { scene_ids: ["$scene"], file: "/files/saved.form", project_name: "a project" },
  "/v1/scene/open/": { file: "/files/good.form" },
  "/v1/scene/model/import/": {
    scene_id: "$scene",
    file: "/files/spike.stl",
    repair_behavior: "REPAIR",
    name: "spike",
    units: "DETECTED",
    lock: "FREE",
    chordal_tolerance_um: 10,
    angle_tolerance_deg: 5,
    split_multi_model_file: true,
  },
  "/v1/scene/model/list/": { scene_id: "$scene", model_ids: ["$b", "$a"] },
  "/v1/scene/model/scale/": { scene_id: "$scene", model_ids: ["$a", "$b"], scale: 2 },
  "/v1/scene/model/orient/": { scene_id: "$scene", model_ids: ["$a", "$b"], orientation: { x: 10, y: 20, z: 30 } },
  "/v1/scene/model/translate/": {
    scene_id: "$scene",
    model_ids: ["$a", "$b"],
    position: { x: 1, y: 2, z: 3 },
    mode: "RELATIVE",
  },
  "/v1/scene/model/update/": {
    scene_id: "$scene",
    model_ids: ["$a"],
    name: "new",
    lock: "FULLY_LOCKED",
    visible: false,
    units: "INCHES",
  },
  "/v1/scene/model/delete/": { scene_id: "$scene", model_ids: ["$c"] },
  "/v1/scene/model/replace/": { scene_id: "$scene", model_id: "$b", replacement_model_id: "$c" },
  "/v1/scene/model/duplicate/": { scene_id: "$scene", model_ids: ["$a", "$b"], count: 2 },
  "/v1/scene/model/auto-support/": {
    scene_id: "$scene",
    model_ids: ["$a", "$b"],
    density: 0.5,
    slope_multiplier: 1,
    only_minima: false,
    raft_type: "MINI_RAFT",
    raft_label_enabled: true,
    breakaway_structure_enabled: true,
    internal_supports_enabled: false,
    touchpoint_size_mm: 0.5,
    raft_thickness_mm: 1,
    height_above_raft_mm: 3,
    z_compression_correction_mm: 0.1,
    early_layer_merge_mm: 0.3,
  },
  "/v1/scene/model/regenerate-supports/": { scene_id: "$scene", model_ids: ["$a", "$b"] },
  "/v1/scene/model/auto-orient/": { scene_id: "$scene", model_ids: ["$a", "$b"], mode: "DENTAL", tilt: 30 },
  "/v1/scene/model/auto-layout/": {
    scene_id: "$scene",
    model_ids: ["$a", "$b"],
    mode: "DENTAL",
    model_spacing_mm: 0.5,
    allow_overlapping_supports: true,
    lock_rotation: false,
    custom_bounds: { x_min_mm: -90, x_max_mm: 90, y_min_mm: -60, y_max_mm: 60 },
  },
  "/v1/scene/model/fill-build-platform/": {
    scene_id: "$scene",
    model_ids: ["$a"],
    model_spacing_mm: 60,
    lock_rotation: true,
  },
  "/v1/scene/model/hollow/": {
    scene_id: "$scene",
    model_ids: ["$a", "$b"],
    wall_thickness_mm: 1,
    feature_size_mm: 0.5,
    accuracy: 0,
  },
  "/v1/scene/model/dental-hollow/": {
    scene_id: "$scene",
    model_ids: ["$a", "$b"],
    extrude_distance_mm: 3,
    cutoff_height_mm: 2,
    hollow: true,
    shell_thickness_mm: 2,
    wall_thickness_mm: 1,
    drain_hole_radius_mm: 1,
    drain_hole_height_ratio: 1.5,
    drain_hole_suppression_distance_mm: 2,
    drain_hole_max_count: 2,
    enable_honeycomb_infill: true,
    enable_smooth_contour_extended_sides: true,
    keep_disconnected_mesh_components: true,
  },
  "/v1/scene/model/drill/": {
    scene_id: "$scene",
    model_ids: ["$a", "$b", "$c"],
    drain_holes: [
      {
        orientation: { x: 0, y: 0, z: 0 },
        position: { x: 0, y: 0, z: BLOCK_MM[2] },
        diameter_mm: 3,
        depth_mm: "AUTO",
        outset_mm: 1,
        create_plug: true,
        max_search_distance_mm: 1000,
      },
      { orientation: { x: 0, y: 90, z: 0 }, position: { x: BLOCK_MM[0] / 2, y: 0, z: 7 }, diameter_mm: 2, depth_mm: 1 },
    ],
  },
  "/v1/scene/model/label/": {
    scene_id: "$scene",
    model_id: "$a",
    orientation: { x: 0, y: 0, z: 0 },
    position: { x: 0, y: 0, z: BLOCK_MM[2] },
    label: "A",
    font_size_mm: 3,
    depth_mm: 0.5,
    application_mode: "ENGRAVE",
  },
  "/v1/scene/model/validate/in-bounds/": { scene_id: "$scene", model_ids: ["$a"] },
  "/v1/operation/get/": {},
  "/v1/operation/list/": { operations: [] },
  "/v1/operation/delete/": { operations: [UNKNOWN_ID] },
  "/v1/print-setting/list/": {},
  "/v1/print-setting/validate/": manual,
  "/v1/print-setting/save/": { scene_id: "$scene", file: "/files/saved.fps" },
  "/v1/device/list/": { devices: [] },
  "/v1/device/discover/": { timeout_seconds: 1 },
};

const FILES: readonly string[] = [
  ..."cube.stl spike.stl open.stl missing.stl x.txt broken.form good.form saved.form missing.form nowhere/x.form".split(
    " ",
  ),
  ..."broken.fps good.fps saved.fps nowhere/x.fps".split(" "),
  "",
].map((name) => `/files/${name}`);
const IDS: readonly string[] = ["$scene", "$second", "$a", "$b", "$c", UNKNOWN_ID, "{$a}", "no-uuid", ""];
const NUMBERS: readonly number[] = [0, -1, 1e-9, 0.1, 0.11, 0.5, 1, 3, 180, 10_001, 999_999, 1_000_001, 5e-324, 1e300];
const WORDS: readonly string[] = [
  ..."ABSOLUTE RELATIVE ADAPTIVE DEFAULT DETECTED INCHES MILLIMETERS IGNORE ERROR REPAIR FREE FULLY_LOCKED".split(" "),
  ...[RESIN, POWDER].flatMap(({ machine_type, material_code }) => [machine_type, material_code]),
  ..."UNKN-0-0 0.05 __proto__ \0 \u{1f9b7}".split(" "),
];
const KEYS = ["x", "y", "z", "linear", "z_direction", "x_direction", "scale"];

const leaf = fc.oneof(
  fc.constantFrom(...IDS, ...WORDS, ...FILES),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(null, true, false, [], {}),
  fc.string({ maxLength: 5 }),
);
const value = fc.oneof(
  { weight: 3, arbitrary: leaf },
  { weight: 1, arbitrary: fc.array(leaf, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...KEYS), leaf, { maxKeys: 4 }) },
);

/** One change of a body, at a place picked by `pick`: `swap` puts in another value of the same kind. */
interface Mutation {
  readonly kind: "swap" | "replace" | "remove" | "add";
  readonly pick: number;
  readonly value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("swap", "swap", "swap", "swap", "replace", "remove", "add"),
  pick: fc.nat(100_000),
  value,
});

function mutated(body: unknown, { kind, pick, value }: Mutation): unknown {
  const copy = structuredClone(body);
  const places = placesIn(copy);
  if (kind === "add" || places.length === 0) return { ...(copy as object), [`field_${pick}`]: value };
  const [holder, key] = places[pick % places.length];
  if (kind === "swap") holder[key] = another(holder[key], Math.floor(pick / places.length));
  else if (kind === "replace") holder[key] = value;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  return copy;
}

function another(value: unknown, pick: number): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return NUMBERS[pick % NUMBERS.length];
  const others = [IDS, FILES, WORDS].find((list) => list.includes(value as string));
  return others === undefined ? value : others[pick % others.length];
}

type Place = [holder: Record<string, unknown>, key: string];

function placesIn(holder: unknown): Place[] {
  if (typeof holder !== "object" || holder === null) return [];
  const object = holder as Record<string, unknown>;
  return Object.keys(object).flatMap((key) => [[object, key], ...placesIn(object[key])]);
}

const QUERIES = [
  "",
  "",
  "?async=false",
  "?async=true",
  "?async=maybe",
  "?operation_id=x",
  `?operation_id=${UNKNOWN_ID}`,
];

/** The code of a request's failure, once an operation that it started has ended; undefined for success. */
async function outcomeOf(reply: Reply): Promise<string | undefined> {
  if (reply.status === 200) return undefined;
  if (reply.status !== 202) return codeOf(reply);
  for (;;) {
    const { status, result } = bodyOf(await server.printwright.call("GET", `${reply.body.operation_url}&mode=oneshot`));
    if (status === "SUCCEEDED") return undefined;
    if (status === "FAILED") return codeOfEnvelope(result);
  }
}

async function assertAllOrNothing(endpoint: Endpoint, query: string, body: unknown): Promise<string | undefined> {
  await tidy();
  const sent = await resolve(body);
  const [scenesBefore, filesBefore] = [await scenes(), files()];
  const code = await outcomeOf(await server.printwright.call(endpoint.method, endpoint.path + query, sent));
  if (code !== undefined) {
    assert.deepEqual(await scenes(), scenesBefore, `${code} for ${JSON.stringify(sent)}`);
    assert.deepEqual(files(), filesBefore, `${code} for ${JSON.stringify(sent)}`);
  }
  return code;
}

/** Endpoints without remaining operations, because the test fetches each with oneshot. */
const WITHOUT_OPERATIONS: Readonly<Record<string, string>> = {
  "/v1/operation/get/": "MISSING_QUERY_PARAMETER",
  "/v1/operation/delete/": "NOT_FOUND",
};

for (const endpoint of ENDPOINTS) {
  test(
    `${endpoint.path} answers whatever it is sent by the interface, and an error changes nothing`,
    HANG,
    async () => {
      const { path: endpointPath } = endpoint;
      assert.ok(BODIES[endpointPath], `add a body of ${endpointPath} that succeeds to BODIES`);
      await reset();
      const codes = new Set([await assertAllOrNothing(endpoint, "", BODIES[endpointPath])]);
      assert.deepEqual([...codes], [WITHOUT_OPERATIONS[endpointPath]]);
      const request = fc.tuple(fc.constantFrom(...QUERIES), fc.array(mutation, { minLength: 1, maxLength: 3 }));
      const check = async ([query, mutations]: [string, Mutation[]]): Promise<void> => {
        const body = mutations.reduce<unknown>(mutated, BODIES[endpointPath]);
        codes.add(await assertAllOrNothing(endpoint, query, body));
      };
      const numRuns = slowRuns(FEWER_RUNS[endpointPath] ?? RUNS_PER_ENDPOINT);
      await fc.assert(fc.asyncProperty(request, check), { numRuns, endOnFailure: true });
      if (endpoint.body !== undefined) assert.ok(codes.has("JSON_SCHEMA_MATCH_ERROR"), [...codes].join());
    },
  );
}

test("if one of many models cannot be changed, none is", async () => {
  await tidy();
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, path("cube.stl"));
  await server.importOne(scene_id, path("spike.stl"));
  bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position: { x: 999_900, y: 0, z: 0 } }));
  const before = await scenes();
  const refused: [string, object][] = [
    ["scale", { scale: 100 }],
    ["translate", { position: { x: 200, y: 0, z: 0 }, mode: "RELATIVE" }],
  ];
  for (const [action, body] of refused) {
    assert.equal(codeOf(await server.ask(action, { scene_id, ...body })), "INPUT_ERROR");
    assert.deepEqual(await scenes(), before);
  }
});
