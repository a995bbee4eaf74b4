import assert from "node:assert/strict";
import { test } from "node:test";
import { jobFindings, placeFromAbove } from "../../src/page/action/job-findings.ts";
import type { InspectedJob } from "../../src/page/server/replies.ts";

const FACTS: InspectedJob = {
  format: "Chitubox CTB",
  version: "3",
  machine_types: [],
  pixels: { x: 400, y: 300 },
  layer_count: 40,
  layer_thicknesses_mm: [0.1],
  height_mm: 4,
  thumbnails: [],
  stated: {},
  computed: {},
  warnings: [],
};

test("a job whose layers were not read, or are good, has no findings", () => {
  assert.deepEqual(jobFindings(FACTS), []);
  assert.deepEqual(jobFindings({ ...FACTS, islands: [], island_count: 0, empty_layers: [] }), []);
});

test("findings have their layer, their place and their size, and those that are not listed are counted", () => {
  const pixel = { x: 100, y: 210 };
  const [islands, cups] = jobFindings({
    ...FACTS,
    island_count: 1500,
    islands: [{ layer: 20, pixel, area_mm2: 4 }],
    cup_count: 1,
    cups: [{ layer: 3, pixel, volume_mm3: 12.345 }],
  });
  assert.deepEqual(islands, {
    title: "Islands",
    count: 1500,
    unlisted: 1499,
    findings: [{ text: "Island, 4 mm²", layer: 20, lastLayer: 20, pixel }],
  });
  assert.deepEqual([cups.unlisted, cups.findings[0].text], [0, "Cup, 12.35 mm³"]);
});

test("adjacent layers are one finding", () => {
  const [borders, dark] = jobFindings({
    ...FACTS,
    borders: [4, 5, 6, 9].map((layer) => ({ layer, pixel_count: layer })),
    empty_layers: [0, 2, 3],
  });
  assert.deepEqual(
    borders.findings.map(({ text, layer, lastLayer }) => [text, layer, lastLayer]),
    [
      ["Up to 6 pixels", 4, 6],
      ["9 pixels", 9, 9],
    ],
  );
  assert.deepEqual(
    dark.findings.map(({ layer, lastLayer }) => [layer, lastLayer]),
    [
      [0, 0],
      [2, 3],
    ],
  );
  assert.deepEqual([borders.count, dark.count], [4, 3]);
});

test("a pixel of the file is found in the picture from above: its rows become columns, then both are reversed", () => {
  const place = (transposed: boolean, flipped_x: boolean, flipped_y: boolean) =>
    placeFromAbove({ x: 100, y: 30 }, { x: 400, y: 300 }, { transposed, flipped_x, flipped_y });
  assert.deepEqual(place(false, false, false), [0.25, 0.1]);
  assert.deepEqual(place(false, true, false), [0.75, 0.1]);
  assert.deepEqual(place(true, false, false), [0.1, 0.25]);
  assert.deepEqual(place(true, false, true), [0.1, 0.75]);
});
