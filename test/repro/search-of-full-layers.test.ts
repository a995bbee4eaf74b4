import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { bestPlace, newCandidateState, refuse } from "../../src/pack/best-place.ts";
import { roomOf } from "../../src/pack/chamber.ts";
import { candidatesOf, kindsAgain } from "../../src/pack/kinds.ts";
import { newSearch, placePart } from "../../src/pack/search.ts";
import { box } from "../fixture/shapes.ts";

// The search for a thick part begins at sixteen places in each layer. After each refused place it searched all layers again: 27 cubes
// of 30 mm took a minute.

const REFUSALS = 200;

test("a layer is searched once from each start, however many places of a thick part are refused", () => {
  const mesh = canonicalMesh(box([30, 30, 30]), 1, noProgress);
  const pose = { position: [0, 0, 0], orientation: { x: 0, y: 0, z: 0 }, scale: 1 } as const;
  const part = { mesh, pose, turns: "all" as const };
  const room = roomOf({ min: [-82.5, -82.5, 0], max: [82.5, 82.5, 68], filletRadiusMm: 10 }, 0);
  const kinds = kindsAgain([part], 5, room);
  const options = { parts: [part], obstacles: [], balancing: { weight: 0.5, tilts: true } };
  const search = newSearch(room, kinds, options, noProgress);
  for (let i = 0; i < 18; i++) assert.ok(placePart(search, part, noProgress));

  const { tray } = search.chamber;
  const { columns, rows, layers, kernel } = tray;
  let searched = 0;
  const findInLayer: typeof kernel.findInLayer = (x, y, ...rest) => {
    const found = kernel.findInLayer(x, y, ...rest);
    searched += (found < 0 ? rows * columns : found) - (y * columns + x);
    return found;
  };
  const counted = { ...search, chamber: { ...search.chamber, tray: { ...tray, kernel: { ...kernel, findInLayer } } } };
  const [candidate] = candidatesOf(kinds, part, true, noProgress);
  const state = newCandidateState(counted, candidate);
  let refused = 0;
  for (; refused < REFUSALS; refused++) {
    const best = bestPlace(counted, [state], new Map(), noProgress);
    if (!best) break;
    refuse(counted, best, 0);
  }
  assert.equal(refused, REFUSALS);
  const layersSearched = searched / (columns * rows);
  assert.ok(layersSearched <= 2 * layers, `${layersSearched} of ${layers} layers`);
});
