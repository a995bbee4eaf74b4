import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { noProgress } from "../../src/core/progress.ts";
import { stlReader } from "../../src/format/stl.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { denseLayer } from "../fixture/dense-layer.ts";
import { readPngLayer } from "../fixture/job/read-png-layer.ts";
import { sampledTests } from "../fixture/long.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { evenly, gridOf, placed, sliceAll } from "../fixture/slices.ts";

// Layers of the same files on the same grid by PrusaSlicer 2.5.0: `--export-sla`, no supports, 200 × 125 mm of 50 µm
// pixels, layers of 0.05 mm, gamma 1. It centres a part on its bed, as `placed` does on the platform.

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const GRID = gridOf(4000, 2500, 0.05);
const THICKNESS_MM = 0.05;

const CASES = [
  { name: "65004", file: "../fixture/corpus/thingi-65004.stl", layers: [123, 247] },
  { name: "520644", file: "../fixture/corpus/thingi-520644.stl", layers: [254, 508] },
  { name: "908460", file: "../../assets/demo/functional-part.stl", layers: [482, 964] },
];

/** Largest difference, grey levels, of a pixel that is empty or full in either; EDGE_MEAN: mean difference of the others. */
const NOT_EDGE = 1;
const EDGE_MEAN = 1;
const SHARE_ALIKE = 0.999;

for (const [{ name, file, layers }, testOne] of sampledTests(CASES, Infinity)) {
  testOne(`layers of ${name} agree with another slicer`, async () => {
    const { parts } = await stlReader.read(here(file), READ_OPTIONS, noProgress);
    const mesh = canonicalMesh(parts[0].surface, 1, noProgress);
    const heightMm = mesh.box.max[2] - mesh.box.min[2];
    const boundariesMm = evenly(Math.ceil(heightMm / THICKNESS_MM), THICKNESS_MM);
    const standing = placed(mesh, { position: [0, 0, heightMm / 2] });
    const pictures = new Map<number, Uint8Array>();
    sliceAll({ placed: [standing], boundariesMm, grid: GRID }, ({ index, runs }) => {
      if (layers.includes(index)) pictures.set(index, denseLayer(runs));
    });
    for (const index of layers) {
      const peer = readPngLayer(
        readFileSync(here(`../fixture/golden/layers/${name}-${String(index).padStart(5, "0")}.png`)),
      );
      compare(pictures.get(index)!, peer.pixels);
    }
  });
}

function compare(ours: Uint8Array, peer: Uint8Array): void {
  assert.equal(ours.length, peer.length);
  let [solid, alike, edges, edgeSum] = [0, 0, 0, 0];
  for (let i = 0; i < ours.length; i++) {
    const difference = Math.abs(ours[i] - peer[i]);
    if (isEdge(ours[i]) || isEdge(peer[i])) {
      edges++;
      edgeSum += difference;
    } else if (ours[i] + peer[i] > 0) {
      solid++;
      if (difference <= NOT_EDGE) alike++;
    }
  }
  assert.ok(solid > 10_000 && edges > 1_000, "there is something to compare");
  assert.ok(alike >= SHARE_ALIKE * solid, `${solid - alike} of ${solid} pixels differ`);
  assert.ok(edgeSum <= EDGE_MEAN * edges, `edges differ by ${edgeSum / edges} levels`);
}

const isEdge = (value: number): boolean => value > 0 && value < 255;
