import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { boxCentre } from "../../src/geometry/box.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { slowRuns } from "../fixture/long.ts";
import { type Run, checkedRuns } from "../fixture/dense-layer.ts";
import { rotated } from "../fixture/rotated.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { evenly, gridOf, meshOf, picturesOf, placed, sliceAll, slicedVolume } from "../fixture/slices.ts";
import { randomFrom } from "../fixture/random.ts";
import { facetsOf, insideOut, moved, perforated, surfaceOfStl, withFacets } from "../fixture/surface-edits.ts";

const grid = gridOf(64, 48, 0.3);
const boundariesMm = evenly(20, 0.4);
const requestOf = (placed: readonly PlacedMesh[]) => ({ placed, boundariesMm, grid });
const corpus = (name: string): Mesh =>
  meshOf(surfaceOfStl(readFileSync(fileURLToPath(new URL(`../fixture/corpus/${name}`, import.meta.url)))));

const TURNS = [
  { x: 0, y: 0, z: 0 },
  { x: 20, y: 30, z: 40 },
  { x: 90, y: 0, z: 15 },
];
const AT = [0.1, -0.2, 4] as const;

test("inverted bodies, with cavities, are drawn like bodies that are not inverted", () => {
  const hollow = [uvSphere(3.5, 20, 12), insideOut(moved(box([3, 3, 3]), [0.2, 0, 0])), tetrahedron(1.5)];
  const scenes: Surface[][] = [[box([4, 5, 6])], [torus(3, 1)], [uvSphere(3), moved(uvSphere(1), [4, 0, 0])], hollow];
  for (const shapes of scenes) {
    for (const orientation of TURNS) {
      const pose = { position: AT, orientation };
      assert.deepEqual(
        picturesOf(requestOf([placed(meshOf(...shapes.map((shape) => insideOut(shape))), pose)])),
        picturesOf(requestOf([placed(meshOf(...shapes), pose)])),
      );
    }
  }
});

test("an inverted body next to one that is not inverted is drawn, too", () => {
  const [upright, other] = [box([3, 3, 3]), moved(cylinder(1.2, 4), [4, 0, 0])];
  assert.deepEqual(
    picturesOf(requestOf([placed(meshOf(upright, insideOut(other)), { position: AT })])),
    picturesOf(requestOf([placed(meshOf(upright, other), { position: AT })])),
  );
});

/** Rotates about the origin of the file, at AT: not about the middle of the box, because a body that lost a vertex has another box. */
function turnedAboutOrigin(mesh: Mesh, z: number): PlacedMesh {
  const orientation = { x: 0, y: 0, z };
  const [x, y, height] = rotated(boxCentre(mesh.box), orientation);
  return placed(mesh, { position: [x + AT[0], y + AT[1], height + AT[2]], orientation });
}

const volumeOf = (mesh: Mesh, z = 0): number => slicedVolume(requestOf([turnedAboutOrigin(mesh, z)]));

/** Columns and rows of the pixels above 0; undefined in an empty picture. */
function reachOf(runs: readonly Run[]): { left: number; right: number; top: number; bottom: number } | undefined {
  if (runs.length === 0) return undefined;
  return {
    left: Math.min(...runs.map(({ start }) => start)),
    right: Math.max(...runs.map(({ end }) => end)),
    top: runs[0].row,
    bottom: runs.at(-1)!.row,
  };
}

/** Fails if a layer extends beyond the layer of the whole body by more than a pixel. Returns the number of layers that are not empty. */
function countTightLayers(mesh: Mesh, whole: Mesh, z = 0): number {
  const reaches = [mesh, whole].map((one) =>
    sliceAll(requestOf([turnedAboutOrigin(one, z)]), ({ runs }) => reachOf(checkedRuns(runs))),
  );
  return reaches[0].filter((reach, k) => {
    const bounds = reaches[1][k];
    if (!reach) return false;
    const isInside =
      bounds !== undefined &&
      reach.left >= bounds.left - 1 &&
      reach.right <= bounds.right + 1 &&
      reach.top >= bounds.top - 1 &&
      reach.bottom <= bounds.bottom + 1;
    assert.ok(isInside, `layer ${k}: ${JSON.stringify(reach)} of ${JSON.stringify(bounds)}`);
    return true;
  }).length;
}

test("bodies with holes are closed, and no row leaks", () => {
  const shapes = [uvSphere(3.5, 24, 14), torus(3, 1, 24, 12), cylinder(3, 7, 40)];
  for (let seed = 0; seed < slowRuns(60); seed++) {
    const random = randomFrom(seed);
    const shape = shapes[seed % 3];
    const whole = meshOf(shape);
    const open = meshOf(perforated(shape, 1 + Math.floor(8 * random()), random));
    const z = 90 * random();
    assert.ok(countTightLayers(open, whole, z) > 3);
    const [filled, expected] = [volumeOf(open, z), volumeOf(whole, z)];
    assert.ok(Math.abs(filled / expected - 1) < 0.03, `seed ${seed}: ${filled} is not ${expected}`);
  }
});

test("a box without any one or two of its facets, or without a side, is drawn whole", () => {
  const shape = box([4, 5, 6]);
  const whole = meshOf(shape);
  const facets = facetsOf(shape);
  const expected = volumeOf(whole);
  for (let a = 0; a < 12; a++) {
    for (let b = a; b < 12; b++) {
      const open = meshOf(
        withFacets(
          shape,
          facets.filter((_, i) => i !== a && i !== b),
        ),
      );
      assert.ok(countTightLayers(open, whole) > 10);
      const filled = volumeOf(open);
      assert.ok(Math.abs(filled / expected - 1) < 0.03, `without ${a} and ${b}: ${filled} is not ${expected}`);
    }
  }
});

test("a few loose facets are drawn without leaks", () => {
  const shape = uvSphere(3.5, 16, 10);
  let drawn = 0;
  const seeds = slowRuns(60);
  for (let seed = 0; seed < seeds; seed++) {
    const random = randomFrom(900 + seed);
    const share = random();
    const rest = facetsOf(shape).filter(() => random() < share);
    if (rest.length > 0) drawn += countTightLayers(meshOf(withFacets(shape, rest)), meshOf(shape), 30 * random());
  }
  assert.ok(drawn > 5 * seeds, `${drawn} layers`);
});

/** Adds a facet on a random edge, with a new vertex outside of the body. */
function withFin(shape: Surface, random: () => number): Surface {
  const facets = facetsOf(shape);
  const [a, b] = facets[Math.floor(facets.length * random())];
  const apex = [0, 0, 0].map(() => 7 * random() - 3.5);
  const vertices = Float64Array.of(...shape.vertices, ...apex);
  return withFacets({ vertices }, [...facets, [a, b, vertices.length / 3 - 1]]);
}

test("a loose facet on a body changes nothing", () => {
  for (let seed = 0; seed < 40; seed++) {
    const random = randomFrom(1300 + seed);
    const shape = seed % 2 === 0 ? box([4, 5, 6]) : uvSphere(3, 12, 8);
    const finned = meshOf(withFin(shape, random));
    const z = 90 * random();
    const [volume, expected] = [volumeOf(finned, z), volumeOf(meshOf(shape), z)];
    assert.ok(Math.abs(volume / expected - 1) < 1e-6, `seed ${seed}: ${volume} is not ${expected}`);
  }
});

/** A Möbius strip: it has one side, so that no repair can give it an inside. */
function moebiusBand(radius: number, width: number, steps: number): Surface {
  const vertices = Array.from({ length: steps }, (_, i) => {
    const angle = (2 * Math.PI * i) / steps;
    return [-width / 2, width / 2].flatMap((out) => {
      const r = radius + out * Math.cos(angle / 2);
      return [r * Math.cos(angle), r * Math.sin(angle), out * Math.sin(angle / 2)];
    });
  });
  const facets = Array.from({ length: steps }, (_, i): [number, number, number][] => {
    const [c, d] = i + 1 < steps ? [2 * i + 2, 2 * i + 3] : [1, 0];
    return [
      [2 * i, c, 2 * i + 1],
      [2 * i + 1, c, d],
    ];
  });
  return withFacets({ vertices: Float64Array.from(vertices.flat()) }, facets.flat());
}

test("a surface with one side does not leak", () => {
  const band = meshOf(moebiusBand(3, 2, 30));
  const bounds = meshOf(box([8, 8, 2]));
  for (const z of [0, 10, 45, 80]) assert.ok(countTightLayers(band, bounds, z) > 0);
});

for (const { name, original } of [
  { name: "gen-472042-flip30.stl", original: "thingi-472042.stl" },
  { name: "gen-65004-holes12.stl", original: "thingi-65004.stl" },
]) {
  test(`${name}, imported with IGNORE, is sliced like its original`, () => {
    const [faulty, whole] = [corpus(name), corpus(original)];
    const { min, max } = whole.box;
    const heightMm = max[2] - min[2];
    const volumeAlone = (mesh: Mesh): number =>
      slicedVolume({
        placed: [placed(mesh, { position: [0, 0, heightMm / 2] })],
        boundariesMm: evenly(Math.ceil(heightMm / 0.2), 0.2),
        grid: gridOf(Math.ceil((max[0] - min[0]) / 0.2) + 2, Math.ceil((max[1] - min[1]) / 0.2) + 2, 0.2),
      });
    const [volume, expected] = [volumeAlone(faulty), volumeAlone(whole)];
    assert.ok(Math.abs(volume / expected - 1) < 1e-3, `${volume} is not ${expected}`);
  });
}

test("degenerate and duplicate facets change nothing", () => {
  const shape = torus(3, 1, 20, 10);
  const facets = facetsOf(shape);
  const [[a, b]] = facets;
  const odd = withFacets(shape, [...facets, facets[3], facets[7], facets[7], [a, a, b], [b, b, b]]);
  const pose = { position: AT, orientation: TURNS[1] };
  assert.deepEqual(
    picturesOf(requestOf([placed(meshOf(odd), pose)])),
    picturesOf(requestOf([placed(meshOf(shape), pose)])),
  );
});
