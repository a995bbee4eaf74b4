import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import type { Pose } from "../../../src/geometry/pose.ts";
import { filledMesh } from "../../../src/mesh/filled-mesh.ts";
import type { Mesh } from "../../../src/mesh/mesh.ts";
import type { PlacedMesh } from "../../../src/mesh/placed-mesh.ts";
import { layerImageSize } from "../../../src/slice/pixel-grid.ts";
import { modelsOf } from "../../../src/slice/rasterise-chunk.ts";
import type { LayerRuns } from "../../../src/slice/raster/rasterise-layer.ts";
import { VolumeRasteriser } from "../../../src/slice/volume/rasterise-volume.ts";
import { type StackRequest, prepareStack } from "../../../src/slice/stack.ts";
import { type ConvexFaces, clippedVolume } from "../../fixture/clipped-volume.ts";
import { slowRuns, longTest } from "../../fixture/long.ts";
import { fc } from "../../fixture/property.ts";
import { type Point, rotated } from "../../fixture/rotated.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../../fixture/shapes.ts";
import { evenly, gridOf, meshOf, picturesOf, placed } from "../../fixture/slices.ts";
import { insideOut, moved, perforated, subdivided } from "../../fixture/surface-edits.ts";
import { randomFrom } from "../../fixture/random.ts";

/** Neighbours of volumes may be equal, unlike those of drawn layers. */
function pictureOf({ width, height, rowStarts, starts, ends, values }: LayerRuns): Uint8Array {
  const picture = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let run = rowStarts[row]!; run < rowStarts[row + 1]!; run++) {
      assert.ok(starts[run]! < ends[run]! && (run === rowStarts[row] || ends[run - 1]! <= starts[run]!));
      picture.fill(values[run]!, width * row + starts[run]!, width * row + ends[run]!);
    }
  }
  return picture;
}

/** The exact volume of each layer in pixels, and its picture before faces that close are treated. */
function volumesOf(request: StackRequest): { readonly pixels: number; readonly picture: Uint8Array }[] {
  const stack = prepareStack({ ...request, byVolume: true }, noProgress);
  const rasteriser = new VolumeRasteriser(...layerImageSize(stack.grid).pixels);
  const layers: { pixels: number; picture: Uint8Array }[] = [];
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
    for (const { index, volume, volumePixels } of rasteriser.layers(stack, chunk, modelsOf(stack), () => {})) {
      if (volume) layers[index] = { pixels: volumePixels, picture: pictureOf(volume) };
    }
  }
  return layers;
}

const picturesByVolume = (request: StackRequest): Uint8Array[] => volumesOf(request).map(({ picture }) => picture);

const SHAPES = [box([3, 2, 2.5]), tetrahedron(3), uvSphere(1.7, 20, 11), torus(1.4, 0.5, 18, 9), cylinder(1.1, 3, 17)];
const MESHES = SHAPES.map((shape) => meshOf(shape));

const angle = fc.oneof(fc.constantFrom(0, 90, 45), fc.double({ min: -180, max: 180, noNaN: true }));
const shift = fc.double({ min: -0.5, max: 0.5, noNaN: true });
const orientation = fc.record({ x: angle, y: angle, z: angle });
/** Angles at which the clipper of this test is as exact as it must be: faces are not nearly parallel to its planes. */
const coarse = fc.integer({ min: -720, max: 720 }).map((quarters) => quarters / 4);
const coarseOrientation = fc.record({ x: coarse, y: coarse, z: coarse });

/** Layers of random thicknesses up to a height. */
const uneven = (topMm: number): fc.Arbitrary<Float64Array> =>
  fc.array(fc.double({ min: 0.03, max: 0.5, noNaN: true }), { minLength: 5, maxLength: 40 }).map((steps) => {
    const heights = [0];
    for (let i = 0; heights.at(-1)! < topMm; i++) heights.push(heights.at(-1)! + steps[i % steps.length]!);
    return Float64Array.from(heights);
  });

test("the volumes of pixels add up to the volume of a closed body: in any pose, with any layers and pixels", () => {
  const mesh = fc.constantFrom(...MESHES, meshOf(box([1, 1, 1]), moved(uvSphere(0.6, 9, 7), [2, 0, 0])));
  const pixel = fc.double({ min: 0.05, max: 0.4, noNaN: true });
  const drawn = fc.tuple(mesh, orientation, shift, shift, uneven(6), pixel, pixel, fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(drawn, ([mesh, orientation, x, y, boundariesMm, width, depth, mirrorX, portrait]) => {
      const pixels = [Math.ceil(7 / width), Math.ceil(7 / depth)] as const;
      const grid = { pixels, pixelMm: [width, depth] as const, mirrorX, portrait };
      const position = [x, y, 3 + y / 2] as const;
      const layers = volumesOf({ placed: [placed(mesh, { position, orientation })], boundariesMm, grid });
      const sum = layers.reduce(
        (total, { pixels }, k) => total + pixels * width * depth * (boundariesMm[k + 1]! - boundariesMm[k]!),
        0,
      );
      assert.ok(Math.abs(sum / mesh.volumeMm3 - 1) < 1e-9, `${sum} is not ${mesh.volumeMm3}`);
    }),
    { numRuns: slowRuns(80) },
  );
});

const side = fc.double({ min: 0.02, max: 3, noNaN: true });

test("pixels of upright boxes have the share that the box has of them", () => {
  const [pixelMm, layerMm, columns, rows] = [0.25, 0.2, 16, 14];
  const overlap = (from: number, to: number, low: number, high: number): number =>
    Math.max(0, Math.min(to, high) - Math.max(from, low));
  fc.assert(
    fc.property(side, side, side, shift, shift, shift, (width, depth, height, x, y, z) => {
      const body = placed(meshOf(box([width, depth, height])), { position: [x, y, 2 + z] });
      const request = { placed: [body], boundariesMm: evenly(20, layerMm), grid: gridOf(columns, rows, pixelMm) };
      // Vertices have single precision.
      const [w, d, h] = [width, depth, height].map((size) => Math.fround(size / 2));
      picturesByVolume(request).forEach((picture, k) => {
        const high = overlap(k * layerMm, (k + 1) * layerMm, 2 + z - h!, 2 + z + h!) / layerMm;
        picture.forEach((grey, at) => {
          const left = ((at % columns) - columns / 2) * pixelMm;
          const front = (rows / 2 - 1 - Math.floor(at / columns)) * pixelMm;
          const wide = overlap(left, left + pixelMm, x - w!, x + w!) / pixelMm;
          const deep = overlap(front, front + pixelMm, y - d!, y + d!) / pixelMm;
          assert.ok(Math.abs(grey - 255 * wide * deep * high) <= 0.501, `${grey} of layer ${k}, pixel ${at}`);
        });
      });
    }),
    { numRuns: slowRuns(40) },
  );
});

const facesOf = ({ vertices, triangles }: Mesh, { position, orientation }: Pose): ConvexFaces =>
  Array.from({ length: triangles.length / 3 }, (_, facet) =>
    [0, 1, 2].map((corner): Point => {
      const at = 3 * triangles[3 * facet + corner]!;
      const [x, y, z] = rotated([vertices[at]!, vertices[at + 1]!, vertices[at + 2]!], orientation);
      return [x + position[0], y + position[1], z + position[2]];
    }),
  );

longTest("pixels of tilted boxes and tetrahedra have the volume that a clipper finds, within 1e-9", () => {
  const convex = [SHAPES[0]!, SHAPES[1]!].map((shape) => meshOf(shape));
  // The layers of a grid of one pixel have the volume of single voxels.
  const grid = { pixels: [1, 1], pixelMm: [0.3, 0.4], mirrorX: false, portrait: false } as const;
  const boundariesMm = evenly(24, 0.25);
  const offset = fc.double({ min: -1.7, max: 1.7, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...convex), coarseOrientation, offset, offset, (mesh, orientation, x, y) => {
      const { min, max } = mesh.box;
      const centre = [0, 1, 2].map((axis) => (min[axis]! + max[axis]!) / 2) as never as Point;
      const turned = rotated(centre, orientation);
      const body = placed(mesh, { position: [x, y, 3], orientation });
      const faces = facesOf(mesh, { ...body.pose, position: [x - turned[0], y - turned[1], 3 - turned[2]] });
      volumesOf({ placed: [body], boundariesMm, grid }).forEach(({ pixels }, k) => {
        const [bottom, top] = [boundariesMm[k]!, boundariesMm[k + 1]!];
        const expected = clippedVolume(faces, [-0.15, -0.2, bottom], [0.15, 0.2, top]) / (0.3 * 0.4 * 0.25);
        assert.ok(Math.abs(pixels - expected) < 1e-9, `${pixels} is not ${expected} in layer ${k}`);
      });
    }),
    { numRuns: slowRuns(200) },
  );
});

const SMALL = { boundariesMm: evenly(12, 0.3), grid: gridOf(24, 24, 0.2) };

/** The largest difference of pixels in greys. */
const largest = (some: readonly Uint8Array[], others: readonly Uint8Array[]): number =>
  Math.max(...some.flatMap((picture, k) => Array.from(picture, (grey, at) => Math.abs(grey - others[k]![at]!))));

/** Asserts that pictures are equal, without printing them. */
function assertSame(some: readonly Uint8Array[], others: readonly Uint8Array[], what: string): void {
  assert.equal(some.length, others.length, what);
  assert.equal(largest(some, others), 0, what);
}

/** Means of the pictures of areas at so many planes of each layer. */
function meansOfPlanes(request: StackRequest, planes: number): Uint8Array[] {
  const { boundariesMm } = request;
  const thin = Array.from(boundariesMm.subarray(1), (topMm, k) =>
    Array.from({ length: planes }, (_, i) => boundariesMm[k]! + ((i + 1) / planes) * (topMm - boundariesMm[k]!)),
  );
  const pictures = picturesOf({ ...request, boundariesMm: Float64Array.of(0, ...thin.flat()) });
  return thin.map((_, k) => {
    const own = pictures.slice(planes * k, planes * (k + 1));
    return own[0]!.map((_, at) => Math.round(own.reduce((sum, picture) => sum + picture[at]!, 0) / planes));
  });
}

test("pixels are within 2.5 greys of the mean of 64 planes", () => {
  fc.assert(
    fc.property(fc.constantFrom(...MESHES), orientation, shift, (mesh, orientation, x) => {
      const request = { ...SMALL, placed: [placed(mesh, { position: [x, 0.07, 1.9], orientation })] };
      assert.ok(largest(picturesByVolume(request), meansOfPlanes(request, 64)) <= 2.5);
    }),
    { numRuns: slowRuns(20) },
  );
});

test("equal bodies at one place count once, and a body inside another does not count", () => {
  const outer = placed(MESHES[2]!, { position: [0.03, 0.02, 1.8], orientation: { x: 10, y: 20, z: 30 } });
  const inner = placed(meshOf(uvSphere(0.9, 12, 7)), { position: [0.1, 0, 1.7] });
  const alone = picturesByVolume({ ...SMALL, placed: [outer] });
  assertSame(picturesByVolume({ ...SMALL, placed: [outer, outer] }), alone, "equal");
  assertSame(picturesByVolume({ ...SMALL, placed: [inner, outer] }), alone, "inside");
  // Bodies of one file.
  const [ball, small] = [uvSphere(1.2, 12, 7), uvSphere(0.5, 8, 5)];
  const at = { position: [0.05, 0, 1.8] } as const;
  assertSame(
    picturesByVolume({ ...SMALL, placed: [placed(meshOf(small, ball), at)] }),
    picturesByVolume({ ...SMALL, placed: [placed(meshOf(ball), at)] }),
    "inside, in one file",
  );
});

longTest(
  "a body of the same shape with other facets counts once, and so do bodies that overlap, within the error of eight planes",
  () => {
    const random = randomFrom(5);
    for (let run = 0; run < slowRuns(40); run++) {
      const turn = { x: 360 * random(), y: 360 * random(), z: 360 * random() };
      const one = placed(meshOf(box([1.5, 1.2, 1.4])), { position: [0.1 * random(), 0, 1.7], orientation: turn });
      const same = { ...one, mesh: meshOf(subdivided(box([1.5, 1.2, 1.4]))) };
      const other = placed(MESHES[1]!, { position: [random(), random(), 1.5] });
      for (const bodies of [
        [one, same],
        [one, other],
        [same, one, other],
      ]) {
        const request = { ...SMALL, placed: bodies };
        const off = largest(picturesByVolume(request), meansOfPlanes(request, 64));
        assert.ok(off <= 18, `${off} greys in run ${run}`);
      }
    }
  },
);

test("only pixels that surfaces of two bodies share lose the exact volume", () => {
  const [ball, rod] = [MESHES[2]!, meshOf(box([0.45, 0.37, 3]))];
  const part = placed(ball, { position: [-0.7, 0, 1.8] });
  const apart = placed(rod, { position: [1.7, 0.03, 1.7], orientation: { x: 3, y: 4, z: 5 } });
  const [both, one, other] = [[part, apart], [part], [apart]].map((bodies) =>
    picturesByVolume({ ...SMALL, placed: bodies }),
  );
  assertSame(
    both,
    one!.map((picture, k) => picture.map((grey, at) => grey + other![k]![at]!)),
    "apart",
  );
});

test("solids with gaps and bodies that the build volume clips are drawn by planes", () => {
  const random = randomFrom(6);
  const open = meshOf(perforated(uvSphere(1.2, 16, 9), 4, random));
  const whole = placed(meshOf(box([0.5, 0.5, 1])), { position: [1.6, 1.6, 1.7], orientation: { x: 30, y: 0, z: 10 } });
  const requests: StackRequest[] = [
    { ...SMALL, placed: [placed(open, { position: [-0.3, -0.2, 1.7] }), whole] },
    { ...SMALL, placed: [whole], clipTo: { dimensionsMm: [3.37, 3.43, 30], filletRadiusMm: 0.4 } },
    {
      ...SMALL,
      placed: [placed(MESHES[2]!, { position: [0.9, 1, 1.7] })],
      clipTo: { dimensionsMm: [3.37, 3.43, 30], filletRadiusMm: 0.4 },
    },
  ];
  for (const request of requests) {
    const off = largest(picturesByVolume(request), meansOfPlanes(request, 64));
    assert.ok(off <= 17, `${off} greys`);
  }
});

test("the cavity of a part with infill is drawn by planes, and its outside is exact", () => {
  const [outer, cavity] = [box([4.4, 4.3, 3]), box([2.4, 2.3, 2.2])];
  const at = { position: [0.03, 0.05, 1.7] } as const;
  const outline = picturesByVolume({ ...SMALL, placed: [placed(meshOf(outer), at)] });
  for (const kind of ["GYROID", "STRUTS"] as const) {
    const rule = { kind, cellMm: 2, wallMm: 0.4, clearanceMm: 0, cavity: meshOf(cavity) };
    const filled = placed(filledMesh(meshOf(outer, insideOut(cavity)), rule), at);
    const request = { ...SMALL, placed: [filled] };
    const [pictures, planes] = [picturesByVolume(request), meansOfPlanes(request, 64)];
    assert.ok(largest(pictures, planes) <= 18, `${kind}: ${largest(pictures, planes)}`);
    const isOutside = (pixel: number): boolean => Math.floor(pixel / 24) < 4 || pixel % 24 < 4;
    pictures.forEach((picture, k) =>
      picture.forEach((grey, pixel) => assert.ok(!isOutside(pixel) || grey === outline[k]![pixel], `layer ${k}`)),
    );
  }
});

test("layers with moved edges are the mean of planes with moved edges, and the others are exact", () => {
  const shiftsMm = Float64Array.from({ length: 12 }, (_, k) => (k < 6 ? 0.13 : 0));
  const body = placed(MESHES[2]!, { position: [0.03, 0.02, 1.8] });
  const [still, request] = [
    { ...SMALL, placed: [body] },
    { ...SMALL, placed: [body], edges: { shiftsMm } },
  ];
  const [pictures, exact] = [picturesByVolume(request), picturesByVolume(still)];
  const everyPlane = { shiftsMm: Float64Array.from({ length: 12 * 64 }, (_, i) => shiftsMm[Math.floor(i / 64)]!) };
  const means = meansOfPlanes({ ...request, edges: everyPlane }, 64);
  assert.ok(largest(pictures.slice(0, 6), means.slice(0, 6)) <= 18);
  assert.ok(largest(pictures.slice(0, 6), exact.slice(0, 6)) > 60);
  assertSame(pictures.slice(6), exact.slice(6), "layers whose edges stay");
  assert.equal(picturesOf({ ...request, byVolume: true }).length, 12);
});

/** A picture with its columns in reverse order. */
const mirrored = (picture: Uint8Array, columns: number): Uint8Array =>
  picture.map((_, at) => picture[at - (at % columns) + columns - 1 - (at % columns)]!);

test("mirrored, in portrait, or moved by whole pixels and layers, pixels have the same greys", () => {
  const grid = { ...gridOf(24, 20, 0.25), pixels: [24, 20] } as const;
  fc.assert(
    fc.property(fc.constantFrom(...MESHES), orientation, (mesh, orientation) => {
      const at = (x: number, y: number, z: number): PlacedMesh[] => [
        placed(mesh, { position: [x, y, z], orientation }),
      ];
      const request = { placed: at(0.125, 0.25, 2), boundariesMm: evenly(20, 0.25), grid };
      const pictures = picturesByVolume(request);
      const withGrid = (more: object): Uint8Array[] => picturesByVolume({ ...request, grid: { ...grid, ...more } });
      assertSame(
        withGrid({ mirrorX: true }),
        pictures.map((picture) => mirrored(picture, 24)),
        "mirrored",
      );
      assertSame(
        withGrid({ mirrorX: true, mirrorY: true }),
        pictures.map((picture) => picture.toReversed()),
        "turned",
      );
      assertSame(
        withGrid({ portrait: true }),
        pictures.map((picture) => picture.map((_, i) => picture[(i % 20) * 24 + 23 - Math.floor(i / 20)]!)),
        "portrait",
      );
      const moved = picturesByVolume({ ...request, placed: at(0.625, 0, 2.5) });
      assertSame(
        moved.slice(2).map((picture) => picture.subarray(24)),
        pictures
          .slice(0, -2)
          .map((picture) => picture.map((_, i) => (i % 24 < 2 ? 0 : picture[i - 2]!)).subarray(0, -24)),
        "moved",
      );
    }),
    { numRuns: slowRuns(20) },
  );
});
