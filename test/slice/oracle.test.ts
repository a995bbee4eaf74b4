import assert from "node:assert/strict";
import { test } from "node:test";
import type { BuildVolume } from "../../src/geometry/build-volume.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { sampledLayer } from "../fixture/sampled-layer.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { evenly, meshOf, picturesOf, placed } from "../fixture/slices.ts";
import { randomFrom } from "../fixture/random.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";
import { slowRuns } from "../fixture/long.ts";

const SCENES = slowRuns(80);
const LINES = 64;
/** Largest error, grey levels: a horizontal outline may be half a line from its sampled height; a pixel may contain several. */
const WORST = 255 * (3 / 2 / LINES) + 1;
/** Mean error, grey levels: most outlines cross their pixels, where many lines sample them. */
const MEAN = 0.45;
/** Mean signed error, grey levels. */
const BIAS = 0.03;

const grid = { pixels: [40, 30], pixelMm: [0.5, 0.4], mirrorX: false } as const;
const boundariesMm = evenly(4, 1.5);

type Random = () => number;
const between = (random: Random, low: number, high: number): number => low + (high - low) * random();
const oneOf = <T>(random: Random, choices: readonly T[]): T => choices[Math.floor(random() * choices.length)];

function randomShape(random: Random): Surface {
  const size = (): number => between(random, 0.2, 7);
  const shapes: (() => Surface)[] = [
    () => box([size(), size(), size()]),
    () => tetrahedron(size()),
    () => uvSphere(size() / 2, 12, 7),
    () => torus(1 + size() / 2, between(random, 0.1, 0.9), 10, 6),
    () => cylinder(size() / 2, size(), 9),
  ];
  return oneOf(random, shapes)();
}

const offset = (random: Random, reach: number): Vec3 =>
  [0, 0, 0].map(() => between(random, -reach, reach)) as unknown as Vec3;

/** Alone, two in one mesh (apart, touching, crossing), or hollow with a body inside. */
function randomMesh(random: Random): Mesh {
  const kind = random();
  if (kind < 0.5) return meshOf(randomShape(random));
  if (kind < 0.8) return meshOf(randomShape(random), moved(randomShape(random), offset(random, 3)));
  const shell = between(random, 2, 6);
  const inner = moved(tetrahedron(shell / 3), offset(random, 0.1));
  return meshOf(uvSphere(shell, 14, 8), insideOut(uvSphere(shell * between(random, 0.6, 0.9), 11, 9)), inner);
}

function randomPlaced(random: Random, reach: number): PlacedMesh {
  const angle = (): number => (random() < 0.4 ? 90 * Math.floor(4 * random()) : between(random, -180, 180));
  const isOnPixels = random() < 0.3;
  const place = (step: number, low: number, high: number): number => {
    const at = between(random, low, high);
    return isOnPixels ? Math.round(at / step) * step : at;
  };
  return placed(randomMesh(random), {
    position: [place(0.5, -reach, reach), place(0.4, -reach, reach), place(0.75, 0, 6)],
    orientation: { x: angle(), y: angle(), z: angle() },
    scale: oneOf(random, [1, 0.5, 1.1]),
  });
}

/** Number of edge pixels, and their errors. */
interface Differences {
  edges: number;
  signed: number;
  absolute: number;
}

/** Draws the scene and compares each pixel of each layer with lines through it. */
function compare(
  scene: readonly PlacedMesh[],
  what: string,
  mirrorX: boolean,
  seen: Differences,
  clipTo?: BuildVolume,
): void {
  const request = { placed: scene, boundariesMm, grid: { ...grid, mirrorX, portrait: false }, clipTo };
  picturesOf(request).forEach((picture, k) => {
    const expected = sampledLayer(request, (boundariesMm[k] + boundariesMm[k + 1]) / 2, LINES);
    picture.forEach((value, i) => {
      const difference = value - 255 * expected[i];
      if (Math.abs(difference) > WORST) {
        assert.fail(`${what}, layer ${k}, pixel ${i % 40} ${Math.floor(i / 40)}: ${value} is not ${255 * expected[i]}`);
      }
      if (expected[i] <= 0 || expected[i] >= 1) return;
      seen.edges++;
      seen.signed += difference;
      seen.absolute += Math.abs(difference);
    });
  });
}

function compareMany(
  firstSeed: number,
  sceneOf: (random: Random) => readonly PlacedMesh[],
  volumeOf: (random: Random) => BuildVolume | undefined,
): void {
  const seen = { edges: 0, signed: 0, absolute: 0 };
  for (let seed = firstSeed; seed < firstSeed + SCENES; seed++) {
    const random = randomFrom(seed);
    compare(sceneOf(random), `seed ${seed}`, random() < 0.5, seen, volumeOf(random));
  }
  assert.ok(seen.edges > 50 * SCENES, `${seen.edges} pixels at edges`);
  assert.ok(seen.absolute / seen.edges < MEAN, `off by ${seen.absolute / seen.edges}`);
  assert.ok(Math.abs(seen.signed / seen.edges) < BIAS, `off to one side by ${seen.signed / seen.edges}`);
}

const several = (random: Random, most: number, one: () => PlacedMesh): PlacedMesh[] =>
  Array.from({ length: 1 + Math.floor(random() * most) }, one);

test(`${SCENES} random scenes agree with sampling lines`, () => {
  compareMany(
    0,
    (random) => several(random, 4, () => randomPlaced(random, 4)),
    () => ({ dimensionsMm: [20, 12, 10], filletRadiusMm: 0 }),
  );
});

test(`${SCENES} random scenes, clipped at rounded corners, agree with sampling lines`, () => {
  compareMany(
    1000,
    (random) => several(random, 4, () => randomPlaced(random, 9)),
    (random) => ({
      dimensionsMm: [between(random, 4, 20), between(random, 4, 12), 10],
      filletRadiusMm: between(random, 0, 2),
    }),
  );
});

test(`${SCENES} random scenes inside the image agree with sampling lines`, () => {
  compareMany(
    2000,
    (random) => {
      const size = (): number => between(random, 0.1, 3);
      return several(random, 5, () => {
        const one = moved(box([size(), size(), 9]), offset(random, 4));
        const mesh = meshOf(one, moved(cylinder(size(), 9, 7), offset(random, 2)));
        return placed(mesh, { orientation: { x: 0, y: 0, z: between(random, -180, 180) }, position: [0, 0, 4.5] });
      });
    },
    () => undefined,
  );
});

test(`${SCENES} random bodies that intersect themselves agree with sampling lines`, () => {
  compareMany(
    3000,
    (random) => {
      // Boxes with a common corner are one body; thin ones are, rotated, nowhere wider than a pixel.
      const corner = offset(random, 2);
      const size = (): number => between(random, 0.05, 0.2) * (random() < 0.5 ? 1 : 20);
      const boxes = Array.from({ length: 3 }, (): Surface => {
        const [x, y] = [size(), size()];
        return moved(box([x, y, 8]), [corner[0] + x / 2, corner[1] + y / 2, corner[2] + 4]);
      });
      const orientation = { x: 0, y: 0, z: between(random, -180, 180) };
      return [placed(meshOf(...boxes), { orientation, position: [0, 0, 3] })];
    },
    () => undefined,
  );
});
