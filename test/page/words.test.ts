import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import type { Check } from "../../src/feature/page-row.ts";
import { ACTIONS } from "../../src/page/action/actions.ts";
import { findingsOf, placesRequest, withPlaces } from "../../src/page/action/findings.ts";
import { inPageWords } from "../../src/page/action/page-words.ts";
import { createdModelIds, replySummary } from "../../src/page/action/reply-summary.ts";
import { counted, duration, millilitres } from "../../src/core/quantities.ts";
import { parseNumber } from "../../src/page/widget/quantities.ts";

test("quantities have few digits and suitable units", () => {
  assert.deepEqual([0, 59.4, 60, 3599, 3600, 9420, 200_000].map(duration), [
    "0 s",
    "59 s",
    "1 min",
    "1 h 00 min",
    "1 h 00 min",
    "2 h 37 min",
    "2 d 7 h",
  ]);
  assert.deepEqual([0.5, 180.61].map(millilitres), ["0.50 ml", "180.6 ml"]);
  assert.equal(counted(1, "body", "bodies"), "1 body");
  assert.equal(counted(1200, "model"), "1,200 models");
});

test("typed numbers may have commas, spaces and simple calculations", () => {
  const cases: [text: string, value: number | undefined][] = [
    ["12.5", 12.5],
    [" -0,4 ", -0.4],
    ["25.4*2", 50.8],
    ["10/4", 2.5],
    ["1+-3", -2],
    ["1/0", undefined],
    ["", undefined],
    ["abc", undefined],
    ["1.2.3", undefined],
  ];
  for (const [text, value] of cases) assert.equal(parseNumber(text), value, text);
});

test("replies are summarised in a few words", () => {
  assert.equal(replySummary({ modified_model_ids: ["a", "b"] }), "2 parts changed");
  assert.equal(replySummary({ results: [{ new_model_ids: ["a", "b"] }, { new_model_ids: ["c"] }] }), "3 parts made");
  assert.equal(replySummary({ modified_model_ids: [], unrepaired_model_ids: ["a"] }), "1 part could not be repaired");
  assert.equal(replySummary({ modified_model_ids: [], warnings: [] }), "nothing to change");
  assert.equal(replySummary({ plugs: [], warnings: [] }), "done");
  assert.deepEqual(createdModelIds({ new_models: [{ model_id: "a" }], plugs: [{ plug_model_id: "b" }] }), ["a", "b"]);
});

const validate = (name: string): string => `/v1/scene/model/validate/${name}/`;
/** The row of a check in the table of actions. */
const checkOf = (name: string): Check => ACTIONS.find(({ path }) => path === validate(name))!.check!;
/** Findings of a check, made from these results of models. */
const foundBy = (name: string, per_model_results: object) => findingsOf(checkOf(name), { per_model_results });

const SOUND = {
  is_manifold: true,
  open_edge_count: 0,
  non_manifold_edge_count: 0,
  inverted_body_count: 0,
  self_intersecting: false,
};

test("findings are sorted by severity, and there are none if nothing is wrong", () => {
  for (const [name, fine] of [
    ["cups", { cup_count: 0 }],
    ["minima", { minima_count: 0 }],
    ["supportedness", { percent_unsupported: 0.4 }],
    ["in-bounds", { in_bounds: true }],
    ["manifoldness", SOUND],
    ["hold", { weaknesses: [] }],
    ["thin-features", { status: "ANALYZED", thin_regions: [] }],
  ] as const) {
    assert.deepEqual(foundBy(name, { a: fine }), [], name);
  }
  assert.deepEqual(findingsOf(checkOf("interferences"), { interferences: [] }), []);
  const textsOf = (name: string, results: object) =>
    foundBy(name, results).map(({ severity, text }) => [severity, text]);
  assert.deepEqual(textsOf("cups", { a: { cup_count: 1 }, b: { cup_count: 2 } }), [
    ["warning", "1 cup that traps resin"],
    ["warning", "2 cups that trap resin"],
  ]);
  assert.deepEqual(textsOf("minima", { a: { minima_count: 2 } }), [["warning", "2 places that begin in mid-air"]]);
  assert.deepEqual(textsOf("supportedness", { a: { percent_unsupported: 12.34 } }), [
    ["warning", "12.3 % of the overhangs are unsupported"],
  ]);
  const torn = { ...SOUND, is_manifold: false, open_edge_count: 1, non_manifold_edge_count: 2, inverted_body_count: 2 };
  assert.deepEqual(
    textsOf("manifoldness", {
      a: { ...SOUND, self_intersecting: true },
      b: { ...torn, self_intersecting: true },
      c: { ...SOUND, is_manifold: false },
    }),
    [
      ["error", "Not a closed mesh: 1 open edge, 2 non-manifold edges, 2 inverted bodies"],
      ["error", "Not a closed mesh: inverted or duplicate facets"],
      ["warning", "The surface intersects itself"],
      ["warning", "The surface intersects itself"],
    ],
  );
  const [overlap] = findingsOf(checkOf("interferences"), { interferences: [["a", "b"]] });
  assert.deepEqual(overlap, { severity: "error", text: "Overlap, or are too close", modelIds: ["a", "b"], places: [] });
  const box = { min_corner: { x: 0, y: 0, z: 0 }, max_corner: { x: 2, y: 4, z: 6 } };
  const [thin, large] = foundBy("thin-features", {
    a: { status: "TOO_LARGE", thin_regions: [] },
    b: { status: "ANALYZED", thin_regions: [{ volume_mm3: 1.25, bounding_box: box }] },
  });
  assert.deepEqual(
    [thin.text, large.text],
    ["Thin wall of 1.3 mm³", "Too large for this threshold: choose a larger one"],
  );
  const [{ point, radiusMm, severity, label }] = thin.places;
  assert.deepEqual([point, radiusMm, severity, label], [[1, 2, 3], 1, "warning", thin.text]);
});

test("counts and measures of models are shown as findings", () => {
  const textOf = (path: string, result: object) =>
    findingsOf(ACTIONS.find((one) => one.path === path)!.check!, { per_model_results: { a: result } })[0].text;
  assert.equal(textOf("/v1/scene/model/body-count/", { body_count: 2 }), "2 bodies");
  const measures = { dimensions_mm: { x: 1, y: 2.5, z: 3 }, volume_mm3: 7500, triangle_count: 1200 };
  assert.equal(textOf("/v1/scene/model/measure/", measures), "1 × 2.5 × 3 mm, 7.50 ml, 1,200 triangles");
});

test("the page has words for the places of exactly the checks that find some", () => {
  const finding = ENDPOINTS.filter(({ places }) => places !== undefined).map(({ path }) => path);
  const shown = ACTIONS.filter(({ check }) => check?.places !== undefined).map(({ path }) => path);
  assert.deepEqual(shown.sort(), finding.sort());
  assert.ok(finding.length >= 6);
});

test("each weakness is a finding with height, share, cause and place", () => {
  const position = { x: 1, y: 2, z: 55.25 };
  const weaknesses = [
    { kind: "PULL", position, percent_held: 40.9 },
    { kind: "LEAN", position, percent_held: 50 },
    { kind: "NECK", position, percent_held: 99.999, neck_height_mm: 12.04 },
    { kind: "WOBBLE", position, percent_held: 0 },
  ];
  const findings = foundBy("hold", { a: { weaknesses } });
  assert.deepEqual(
    findings.map(({ text }) => text),
    [
      "Held 40 % at 55.3 mm: too few supports, and too little contact with the platform",
      "Held 50 % at 55.3 mm: leans out beyond its supports",
      "Held 99 % at 55.3 mm: would break at the thin section at 12 mm",
      "Stiffness 0 % at 55.3 mm: too tall and thin, bends sideways",
    ],
  );
  for (const { modelIds, text, places } of findings) {
    assert.deepEqual(modelIds, ["a"]);
    assert.deepEqual(
      places.map(({ point, label }) => [point, label]),
      [[[1, 2, 55.25], text]],
    );
  }
});

test("findings get the places of their models, and without findings no places are requested", () => {
  const findings = foundBy("cups", { a: { cup_count: 1 }, b: { cup_count: 2 }, c: { cup_count: 0 } });
  const requestOf = (name: string, body: { scene_id: string }, found = findings) =>
    placesRequest(validate(name), checkOf(name), body, found);
  assert.deepEqual(requestOf("cups", { scene_id: "s" }), {
    check: validate("cups"),
    scene_id: "s",
    request: { scene_id: "s" },
    found: [["a"], ["b"]],
  });
  assert.equal(requestOf("cups", { scene_id: "s" }, []), undefined);
  assert.equal(requestOf("hold", { scene_id: "s" }), undefined);
  const options = { scene_id: "s", model_ids: ["a", "c"], collision_offset_mm: 2 };
  assert.deepEqual(requestOf("interferences", options)!.request, { scene_id: "s", collision_offset_mm: 2 });
  const meshes = foundBy("manifoldness", {
    a: { ...SOUND, is_manifold: false, self_intersecting: true },
    b: { ...SOUND, self_intersecting: true },
  });
  const place = (id: string, size: number) =>
    ({ model_ids: [id], point: [size, 0, 0], radius_mm: 1, dots: [0, 0, 0], dot_mm: 1, size }) as const;
  const placed = withPlaces(checkOf("cups"), findings, [
    place("b", 12_345),
    place("c", 2),
    place("a", 20),
    place("b", 3),
  ]);
  assert.deepEqual(
    placed.map(({ modelIds, places }) => [modelIds[0], places.map(({ label }) => label)]),
    [
      ["a", ["Cup of 20 mm³"]],
      ["b", ["Cup of 12.3 ml", "Cup of 3 mm³"]],
    ],
  );
  // Each finding of a model gets its own places.
  const defects = [
    { ...place("a", 2), kind: "TURNED" },
    { ...place("a", 9), kind: "CROSSING" },
    { ...place("b", 4), kind: "CROSSING" },
  ] as const;
  assert.deepEqual(
    withPlaces(checkOf("manifoldness"), meshes, defects).map(({ severity, modelIds, places }) => [
      severity,
      modelIds[0],
      places.map(({ label }) => label).join(),
    ]),
    [
      ["error", "a", "2 inverted facets"],
      ["warning", "a", "Self-intersection"],
      ["warning", "b", "Self-intersection"],
    ],
  );
  const outside = foundBy("in-bounds", { a: { in_bounds: false } });
  const sides = [
    { ...place("a", 12.34), kind: "RIGHT" },
    { ...place("a", 0.5), kind: "TOP" },
  ] as const;
  assert.equal(
    withPlaces(checkOf("in-bounds"), outside, sides)[0].text,
    "Not completely inside the build volume: 12.3 mm past the right side, 0.5 mm above the top",
  );
});

test("paths and fields in messages of the server are replaced by buttons and labels of the page", () => {
  assert.equal(inPageWords("Repair it with /v1/scene/model/repair/."), "Repair it with “Repair meshes”.");
  assert.equal(inPageWords("Ask /v1/scene/un-known/ for it."), "Ask “Un known” for it.");
  assert.equal(
    inPageWords('Give cutoff_height_mm, or import "part_of_mm" of a_mm.stl without split_multi_model_file.'),
    'Give “Cutoff height”, or import "part_of_mm" of a_mm.stl without “Split into its parts”.',
  );
  const folder = new URL("../../src/", import.meta.url).pathname;
  const files = globSync(
    "{api,check,convert,feature,format,layout,mesh,orient,pack,printer,repair,scene,solid,support}/**/*.ts",
    {
      cwd: folder,
    },
  );
  // Paths after a space are in messages; others are in declarations.
  const lines = files.flatMap((file) => readFileSync(folder + file, "utf8").split("\n"));
  const paths = lines.flatMap((line) => (/^\s*[/*]/.test(line) ? [] : (line.match(/ \/v1\/[a-z/-]+\//g) ?? [])));
  assert.ok(paths.length > 5, `${paths.length} paths`);
  assert.deepEqual(
    [...new Set(paths)].filter((path) => inPageWords(path).includes("/v1/")),
    [],
  );
});

/** What no person should read: codes, names of fields that no form shows, paths of the interface. */
const FOR_PROGRAMS = /[A-Z]{3,}_[A-Z_]+|model_ids|scene_id|custom_bounds|\/v1\//;

test("messages about what programs sent become sentences, without codes and ids", () => {
  const id = "11111111-2222-3333-4444-555555555555";
  for (const [message, words] of [
    [
      'Cannot read "/tmp/printwright-page-x/a/gear.3mf": it is no valid zip archive (End of central directory record signature not found. Either not a zip file, or file is truncated); take another copy of it, or export it again.',
      "This 3MF is damaged: its last part is missing. Export it again.",
    ],
    [
      'Cannot read "gear.3mf": it is no valid zip archive (invalid local file header); export it again.',
      "This 3MF is damaged. Export it again.",
    ],
    [
      "custom_bounds are empty along x: x_min_mm 4 is not below x_max_mm 2.",
      "The part of the plate to use is empty along x.",
    ],
    ["Give at least one of model_ids.", "Give at least one of parts."],
    ["“gear” is FULLY_LOCKED: set another lock.", "“gear” is “Stay in place”: set another lock."],
    [`There is no model ${id}.`, "There is no such part."],
    ['"MY_PART.stl" and MY_PART.stl stay.', '"MY_PART.stl" and MY_PART.stl stay.'],
  ] as const) {
    assert.equal(inPageWords(message), words);
  }
  assert.equal(
    inPageWords(`model ${id} is gone.`, () => "gear"),
    "“gear” is gone.",
  );
});

test("no message that the sources throw shows a person codes, ids or paths", () => {
  const folder = new URL("../../src/", import.meta.url).pathname;
  const files = globSync(
    "{api,check,convert,feature,format,layout,mesh,orient,pack,printer,repair,scene,solid,support}/**/*.ts",
    { cwd: folder },
  );
  const thrown = /(?:Error|Failed|notFound|warn\w*)\(\s*((?:[`"'][^`"']*[`"'][\s+]*)+)/g;
  const messages = files.flatMap((file) =>
    [...readFileSync(folder + file, "utf8").matchAll(thrown)].map(([, text]) => text!.slice(1)),
  );
  assert.ok(messages.length > 200, `${messages.length} messages`);
  const untold = messages.filter((text) => text.includes(" ")).filter((text) => FOR_PROGRAMS.test(inPageWords(text)));
  assert.deepEqual(untold, []);
});
