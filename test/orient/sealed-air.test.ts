import assert from "node:assert/strict";
import { test } from "node:test";
import { type Vec3, dot, unit } from "../../src/geometry/vector.ts";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { type AirVoxels, HULL_AIR, OPEN_AIR, airAround } from "../../src/orient/air-voxels.ts";
import { type PartShape, partShape } from "../../src/orient/part-shape.ts";
import { sealedAir, sealedSpace } from "../../src/orient/sealed-air.ts";
import { MUG } from "../fixture/orienting.ts";
import { fc } from "../fixture/property.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";
import { slowRuns } from "../fixture/long.ts";

const UPRIGHT = [1, 0, 0, 0, 1, 0, 0, 0, 1] as const;
/** A rotated frame for the voxels. */
const ASKEW = [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6] as const;

test("a mug is a cup of its inner area upright and upside down, and none on its side", () => {
  const { surface, extremes } = partShape(meshOf(MUG), 1);
  for (const frame of [UPRIGHT, ASKEW]) {
    const air = airAround(surface, extremes, frame);
    const width = Math.PI * 13 ** 2;
    for (const up of [
      [0, 0, 1],
      [0, 0, -1],
    ] as Vec3[]) {
      const found = sealedSpace(air, up, surface.vertices).areaMm2;
      assert.ok(found > 0.75 * width && found < 1.1 * width, `${found} of ${width}`);
    }
    for (const up of [
      [1, 0, 0],
      [0, -1, 0],
    ] as Vec3[])
      assert.equal(sealedSpace(air, up, surface.vertices).areaMm2, 0);
  }
});

test("a part without hollows has no cup in any orientation", () => {
  for (const shape of [box([30, 20, 10]), uvSphere(15)]) {
    const { surface, extremes } = partShape(meshOf(shape), 1);
    const air = airAround(surface, extremes, ASKEW);
    for (const up of [
      [0, 0, 1],
      [0.6, 0, 0.8],
      [0.36, 0.48, -0.8],
    ] as Vec3[]) {
      assert.equal(sealedSpace(air, up, surface.vertices).areaMm2, 0);
    }
  }
});

test("a horizontal ring seals its hole, an upright ring seals nothing", () => {
  const { surface, extremes } = partShape(meshOf(torus(20, 5)), 1);
  const air = airAround(surface, extremes, UPRIGHT);
  const hole = sealedSpace(air, [0, 0, 1], surface.vertices).areaMm2;
  assert.ok(hole > Math.PI * 13 ** 2 && hole < Math.PI * 21 ** 2, `${hole}`);
  assert.equal(sealedSpace(air, [1, 0, 0], surface.vertices).areaMm2, 0);
});

/** Few voxels, because every layer is flooded separately. */
const CUBES = 1500;
const FRAME = [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6] as const;

/** For each cube, the first layer up to which a flood fill joins it to the air outside. */
function opensOf(air: AirVoxels, layers: Int32Array): Int32Array {
  const { kinds, columns, rows } = air;
  const openLayers = new Int32Array(kinds.length);
  for (let layer = 1; layer <= Math.max(...layers); layer++) {
    const isMet = layers.map((own, voxel) => Number(own > 0 && own <= layer && kinds[voxel] === OPEN_AIR));
    const waiting = [...isMet.keys()].filter((voxel) => isMet[voxel] === 1);
    while (waiting.length > 0) {
      const voxel = waiting.pop()!;
      if (openLayers[voxel] === 0) openLayers[voxel] = layer;
      for (const away of [1, columns, columns * rows].flatMap((stride) => [-stride, stride])) {
        const next = voxel + away;
        if (!(layers[next] > 0) || layers[next] > layer || isMet[next] === 1) continue;
        isMet[next] = 1;
        waiting.push(next);
      }
    }
  }
  return openLayers;
}

/** The layer of each cube of air; 0 below the platform. */
const layersOf = (
  { kinds, columns, rows, voxelMm, frame, origin }: AirVoxels,
  up: Vec3,
  bottomMm: number,
): Int32Array =>
  Int32Array.from(kinds, (kind, voxel) => {
    if (kind < HULL_AIR) return 0;
    const index = [voxel % columns, Math.floor(voxel / columns) % rows, Math.floor(voxel / columns / rows)];
    const heightMm = index.reduce((sum, count, i) => {
      const axis: Vec3 = [frame[3 * i], frame[3 * i + 1], frame[3 * i + 2]];
      return sum + (origin[i] + count * voxelMm) * dot(axis, up);
    }, -bottomMm);
    return Math.max(0, Math.floor(heightMm / voxelMm + 0.5) + 1);
  });

const airOf = (shape: PartShape): AirVoxels => airAround(shape.surface, shape.extremes, FRAME, CUBES);
const size = fc.integer({ min: 2, max: 20 });
const place = fc.integer({ min: -12, max: 12 });
/** Random cups, tunnels and caves. */
const heap = fc
  .array(fc.tuple(fc.tuple(size, size, size), fc.tuple(place, place, place)), { minLength: 3, maxLength: 7 })
  .map((boxes) => partShape(meshOf(concatenateSurfaces(boxes.map(([sizes, by]) => moved(box(sizes), by)))), 1));
const mug = partShape(meshOf(MUG), 1);
const ring = partShape(meshOf(torus(20, 5)), 1);
const share = fc.double({ min: -1, max: 1, noNaN: true });
const direction = fc
  .oneof(fc.tuple(share, share, share), fc.constantFrom<Vec3>([0, 0, 1], [0, 0, -1], [0.01, 0, 1]))
  .filter((v) => Math.hypot(...v) > 0.1)
  .map((v): Vec3 => unit(v));

test("sealed voxels and the layers that open them are those found by flooding each layer", () => {
  let count = 0;
  fc.assert(
    fc.property(fc.oneof(heap, fc.constantFrom(mug, ring)), direction, (shape, up) => {
      const air = airOf(shape);
      const { vertices } = shape.surface;
      const heights = Array.from({ length: vertices.length / 3 }, (_, i) =>
        dot([vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]], up),
      );
      const bottomMm = Math.min(...heights);
      const layers = layersOf(air, up, bottomMm);
      const openLayers = opensOf(air, layers);
      const sealed = sealedAir(air, up, bottomMm);
      const found = new Map(Array.from(sealed.voxels, (voxel, i) => [voxel, sealed.openLayers[i]]));
      layers.forEach((layer, voxel) => {
        const isSealed = layer > 0 && air.kinds[voxel] !== OPEN_AIR && openLayers[voxel] !== layer;
        assert.equal(found.get(voxel), isSealed ? openLayers[voxel] : undefined, `cube ${voxel}`);
        assert.equal(sealed.layers[voxel], isSealed ? layer : 0, `cube ${voxel}`);
      });
      count += found.size;
    }),
    { numRuns: slowRuns(60) },
  );
  assert.ok(count > 1000, `${count}`);
});
