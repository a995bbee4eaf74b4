import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { placesRequest, withPlaces } from "../../src/page/action/finding-places.ts";
import { findingsOf } from "../../src/page/action/findings.ts";
import { inPageWords } from "../../src/page/action/page-words.ts";
import { newModelIds, replySummary } from "../../src/page/action/reply-summary.ts";
import { counted, duration, millilitres, parseNumber } from "../../src/page/widget/quantities.ts";

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

test("typed numbers may have commas, spaces and simple sums", () => {
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
  assert.equal(replySummary({ modified_model_ids: ["a", "b"] }), "2 models changed");
  assert.equal(replySummary({ results: [{ new_model_ids: ["a", "b"] }, { new_model_ids: ["c"] }] }), "3 models made");
  assert.equal(replySummary({ modified_model_ids: [], unrepaired_model_ids: ["a"] }), "1 model could not be repaired");
  assert.equal(replySummary({ modified_model_ids: [], warnings: [] }), "nothing to change");
  assert.equal(replySummary({ plugs: [], warnings: [] }), "done");
  assert.deepEqual(newModelIds({ new_models: [{ model_id: "a" }], plugs: [{ plug_model_id: "b" }] }), ["a", "b"]);
});

test("findings are sorted by severity, and empty if all is well", () => {
  const fine = { cup_count: 0, is_manifold: true, in_bounds: true, percent_unsupported: 0, status: "ANALYZED" };
  assert.deepEqual(findingsOf({ per_model_results: { a: fine }, interferences: [] }), []);
  const box = { min_corner: { x: 0, y: 0, z: 0 }, max_corner: { x: 2, y: 4, z: 6 } };
  const findings = findingsOf({
    interferences: [["a", "b"]],
    per_model_results: {
      a: { cup_count: 2, status: "TOO_LARGE", thin_regions: [{ volume_mm3: 1.25, bounding_box: box }] },
      b: { is_manifold: false, open_edge_count: 1, in_bounds: false, minima_count: 1 },
    },
  });
  assert.deepEqual(
    findings.map(({ severity }) => severity),
    ["error", "error", "error", "warning", "warning", "warning", "info"],
  );
  assert.deepEqual(findings[0].modelIds, ["a", "b"]);
  const [place] = findings.flatMap(({ places }) => places);
  assert.deepEqual([place.point, place.radiusMm], [[1, 2, 3], 1]);
});

test("each weakness is a finding with height, share, cause and place", () => {
  const position = { x: 1, y: 2, z: 55.25 };
  const weaknesses = [
    { kind: "PULL", position, percent_held: 40.9 },
    { kind: "LEAN", position, percent_held: 50 },
    { kind: "NECK", position, percent_held: 99.999, neck_height_mm: 12.04 },
    { kind: "WOBBLE", position, percent_held: 0 },
  ];
  const findings = findingsOf({ per_model_results: { a: { weaknesses } } });
  assert.deepEqual(
    findings.map(({ text }) => text),
    [
      "Held 40 % at 55.3 mm: too few supports, and too little on the platform",
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
  const path = "/v1/scene/model/validate/cups/";
  const findings = findingsOf({ per_model_results: { a: { cup_count: 1 }, b: { cup_count: 2 }, c: { cup_count: 0 } } });
  assert.deepEqual(placesRequest(path, { scene_id: "s" }, findings), { check: "cups", scene_id: "s" });
  assert.equal(placesRequest(path, { scene_id: "s" }, []), undefined);
  assert.equal(placesRequest("/v1/scene/model/body-count/", { scene_id: "s" }, findings), undefined);
  const overlaps = "/v1/scene/model/validate/interferences/";
  assert.deepEqual(
    placesRequest(overlaps, { scene_id: "s", collision_offset_mm: 2 }, findingsOf({ interferences: [["a", "b"]] })),
    { check: "interferences", scene_id: "s", collision_offset_mm: 2, pairs: [["a", "b"]] },
  );
  const manifoldness = "/v1/scene/model/validate/manifoldness/";
  const meshes = findingsOf({
    per_model_results: { a: { is_manifold: false, self_intersecting: true }, b: { self_intersecting: true } },
  });
  assert.deepEqual(placesRequest(manifoldness, { scene_id: "s" }, meshes), {
    check: "manifoldness",
    scene_id: "s",
    model_ids: ["a", "b"],
  });
  const place = (id: string, size: number) =>
    ({ model_ids: [id], point: [size, 0, 0], radius_mm: 1, dots: [0, 0, 0], dot_mm: 1, size }) as const;
  const placed = withPlaces(path, findings, [place("b", 12_345), place("c", 2), place("a", 20), place("b", 3)]);
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
    withPlaces(manifoldness, meshes, defects).map(({ severity, modelIds, places }) => [
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
  const bounds = "/v1/scene/model/validate/in-bounds/";
  const outside = findingsOf({ per_model_results: { a: { in_bounds: false } } });
  const sides = [
    { ...place("a", 12.34), kind: "RIGHT" },
    { ...place("a", 0.5), kind: "TOP" },
  ] as const;
  assert.equal(
    withPlaces(bounds, outside, sides)[0].text,
    "Not completely inside the build volume: 12.3 mm past the right side, 0.5 mm above the top",
  );
});

test("paths and fields in messages of the server are replaced by buttons and labels of the page", () => {
  assert.equal(inPageWords("Repair it with /v1/scene/model/repair/."), "Repair it with “Repair meshes”.");
  assert.equal(inPageWords("Ask /v1/unknown/ for it."), "Ask /v1/unknown/ for it.");
  assert.equal(
    inPageWords('Give cutoff_height_mm, or import "part_of_mm" of a_mm.stl without split_multi_model_file.'),
    'Give “Cutoff height”, or import "part_of_mm" of a_mm.stl without “Split into its parts”.',
  );
  const folder = new URL("../../src/", import.meta.url).pathname;
  const files = globSync(
    "{api,check,convert,format,layout,mesh,orient,pack,printer,repair,scene,solid,support}/**/*.ts",
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
