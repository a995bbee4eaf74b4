import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { type Vec3, add, cross, dot, subtract, times, unit } from "../../../src/geometry/vector.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { windingNumber } from "../../../src/mesh/bvh/winding-number.ts";
import { type Mesh, type Surface, concatenateSurfaces, vertexAt, vertexCount } from "../../../src/mesh/mesh.ts";
import { type CutRequest, type CutSolid, cutMesh } from "../../../src/solid/cut/cut-mesh.ts";
import type { Key } from "../../../src/solid/cut/key.ts";
import type { HoleFrame } from "../../../src/solid/drill/bore.ts";
import { sampledTests, slowRuns } from "../../fixture/long.ts";
import { fc } from "../../fixture/property.ts";
import { box, cylinder, mug, tetrahedron, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { facetsOf, insideOut, moved, withFacets } from "../../fixture/surface-edits.ts";
import { assertClosedManifold } from "../drill/holes.ts";

/** Steps at half height, so that planes can be in a face that belongs to one part only. */
const STAIRS: Surface = concatenateSurfaces([
  moved(box([20, 20, 10]), [0, 0, 5]),
  moved(box([10, 20, 10.5]), [-5, 0, 14.75]),
]);
/** A table: a plane through its legs has four cut faces. */
const TABLE: Surface = concatenateSurfaces([
  moved(box([60, 60, 8]), [0, 0, 24]),
  ...[-20, 20].flatMap((x) => [-20, 20].map((y) => moved(box([14, 14, 24]), [x, y, 10.5]))),
]);

/** Shapes with the volume of their solid, where bodies overlap: meshes count overlaps twice. */
const SHAPES: readonly { readonly name: string; readonly mesh: Mesh; readonly volumeMm3: number }[] = (
  [
    ["block", box([30, 40, 50])],
    ["tetrahedron", tetrahedron(40)],
    ["cylinder", cylinder(15, 40)],
    ["sphere", uvSphere(20, 24, 12)],
    ["torus", torus(20, 8, 24, 12)],
    ["mug", mug(12, 30, 24)],
    ["stairs", STAIRS, 20 * 20 * 10 + 10 * 20 * 10],
    ["table", TABLE, 60 * 60 * 8 + 4 * 14 * 14 * 21.5],
    ["far block", moved(box([30, 40, 50]), [5000, -3000, 700])],
  ] as const
).map(([name, surface, volumeMm3]) => {
  const mesh = meshOf(surface);
  return { name, mesh, volumeMm3: volumeMm3 ?? mesh.volumeMm3 };
});
const shapeNamed = (wanted: string) => SHAPES.find(({ name }) => name === wanted)!;

function frameOf(origin: Vec3, normal: Vec3): HoleFrame {
  const s = unit(normal);
  const u = unit(cross(Math.abs(s[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], s));
  return { origin, u, v: cross(s, u), s };
}

const request = (mesh: Mesh, frame: HoleFrame, options: Partial<CutRequest> = {}): CutRequest => ({
  mesh,
  frame,
  keys: "NONE",
  playMm: 0.1,
  scale: 1,
  ...options,
});

/** Distances of all vertices above a plane, mm. */
const distancesAbove = (mesh: Mesh, { origin, s }: HoleFrame): number[] =>
  Array.from({ length: vertexCount(mesh) }, (_, vertex) => dot(subtract(vertexAt(mesh, vertex), origin), s));

type Volumes = readonly [above: number, below: number];

/** Asserts that parts are closed and on their sides. Without keys no vertex is beyond the plane; with them, at most as far as the keys reach. */
function assertParts({ above, below }: CutSolid, frame: HoleFrame, what: string, reachMm = 0): void {
  for (const part of [above, below]) assertClosedManifold(part, what);
  const tolerance = 1e-3 + reachMm;
  assert.ok(Math.min(...distancesAbove(above, frame)) > -1e-3, `${what}: the upper part is below the plane`);
  assert.ok(Math.max(...distancesAbove(below, frame)) < tolerance, `${what}: the lower part is above the plane`);
}

function assertVolumes({ above, below }: CutSolid, expected: Volumes, what: string, tolerance = 1e-4): void {
  const total = expected[0] + expected[1];
  assert.ok(
    Math.abs(above.volumeMm3 - expected[0]) < tolerance * total,
    `${what}: ${above.volumeMm3} of ${expected[0]} above`,
  );
  assert.ok(
    Math.abs(below.volumeMm3 - expected[1]) < tolerance * total,
    `${what}: ${below.volumeMm3} of ${expected[1]} below`,
  );
}

const unitShare = fc.double({ min: 0, max: 1, noNaN: true });
const component = fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.constantFrom(0, 1, -1));
const normal = fc.tuple(component, component, component).filter(([x, y, z]) => Math.hypot(x, y, z) > 0.1);
const anyShape = fc.constantFrom(...SHAPES);
/** A place of a plane: anywhere in the box, or at a vertex. */
const place = fc.oneof(fc.tuple(unitShare, unitShare, unitShare), fc.nat(1000));

function originIn(mesh: Mesh, given: number | readonly [number, number, number]): Vec3 {
  if (typeof given === "number") return vertexAt(mesh, given % vertexCount(mesh));
  const { min, max } = mesh.box;
  return [0, 1, 2].map((axis) => min[axis] + given[axis] * (max[axis] - min[axis])) as unknown as Vec3;
}

test("any plane, also through vertices and along faces, makes two closed parts that together are the solid", async () => {
  let cuts = 0;
  await fc.assert(
    fc.asyncProperty(anyShape, normal, place, async ({ name, mesh, volumeMm3 }, direction, at) => {
      const frame = frameOf(originIn(mesh, at), direction as Vec3);
      const cut = await cutMesh(request(mesh, frame), noProgress);
      const distances = distancesAbove(mesh, frame);
      const crosses = Math.min(...distances) < -0.01 && Math.max(...distances) > 0.01;
      assert.ok(cut || !crosses, `${name}: missed`);
      if (!cut) return;
      cuts++;
      assertParts(cut, frame, name);
      const sum = cut.above.volumeMm3 + cut.below.volumeMm3;
      assert.ok(Math.abs(sum - volumeMm3) < 1e-4 * volumeMm3, `${name}: ${sum} of ${volumeMm3}`);
      const opposite = await cutMesh(
        request(mesh, { ...frame, u: times(frame.u, -1), s: times(frame.s, -1) }),
        noProgress,
      );
      assert.ok(opposite);
      assertVolumes(opposite, [cut.below.volumeMm3, cut.above.volumeMm3], `${name} from the other side`);
    }),
    { numRuns: slowRuns(100) },
  );
  assert.ok(cuts > slowRuns(40));
});

test("a plane beside the solid, or that only touches it at a face, an edge or a corner, misses it", async () => {
  const { mesh } = shapeNamed("block");
  for (const [origin, direction] of [
    [
      [0, 0, 30],
      [0, 0, 1],
    ],
    [
      [0, 0, 25],
      [0, 0, 1],
    ],
    [
      [0, 0, 25],
      [0, 0, -1],
    ],
    [
      [0, 0, -25],
      [0, 0, 1],
    ],
    [
      [15, 20, 0],
      [1, 1, 0],
    ],
    [
      [15, 20, 25],
      [1, 1, 1],
    ],
  ] as const) {
    assert.equal(await cutMesh(request(mesh, frameOf(origin, direction)), noProgress), undefined, `${origin}`);
  }
});

test("a block is cut at any height into blocks; a face of stairs in the plane belongs to one part", async () => {
  const block = shapeNamed("block");
  for (const z of [-24, -3.3, 0, 24.9]) {
    const cut = await cutMesh(request(block.mesh, frameOf([7, 3, z], [0, 0, 2])), noProgress);
    assert.ok(cut);
    assertVolumes(cut, [1200 * (25 - z), 1200 * (z + 25)], `at ${z}`, 1e-6);
  }
  const stairs = await cutMesh(request(shapeNamed("stairs").mesh, frameOf([0, 0, 10], [0, 0, 1])), noProgress);
  assert.ok(stairs);
  assertVolumes(stairs, [2000, 4000], "stairs", 1e-6);
});

test("a mesh with gaps, or inside out, is refused", async () => {
  const { mesh } = shapeNamed("block");
  const frame = frameOf([0, 0, 0], [0, 0, 1]);
  const open = meshOf(withFacets(mesh, facetsOf(mesh).slice(1)));
  await assert.rejects(cutMesh(request(open, frame), noProgress), { code: "OPERATION_FAILED", message: /gaps/ });
  await assert.rejects(cutMesh(request(meshOf(insideOut(mesh)), frame), noProgress), { code: "OPERATION_FAILED" });
});

/** Whether points of the scene are inside a mesh. */
function insideOf(mesh: Mesh): (point: Vec3) => boolean {
  const tree = buildBvh(mesh, noProgress);
  return (point) => windingNumber(tree, point) > 0;
}

const pointOf = ({ origin, u, v, s }: HoleFrame, [a, b, c]: Vec3): Vec3 =>
  add(origin, add(add(times(u, a), times(v, b)), times(s, c)));

/** Volume of a key of this length that is wider by `growMm`, from the areas of circle, square and hexagon. */
function keyVolume({ shape, sizeMm }: Key, growMm: number, lengthMm: number): number {
  const side = sizeMm + 2 * growMm;
  const area = { ROUND: (Math.PI / 4) * side * side, SQUARE: side * side, HEXAGON: (Math.sqrt(3) / 2) * side * side };
  return area[shape] * lengthMm;
}

/** Asserts that keys changed the parts as they should, and that nothing is in both parts. */
async function assertKeyed(asked: CutRequest, cut: CutSolid, what: string): Promise<void> {
  const plain = await cutMesh({ ...asked, keys: "NONE" }, noProgress);
  assert.ok(plain);
  const sum = (volumeOf: (key: Key) => number): number => cut.keys.reduce((total, key) => total + volumeOf(key), 0);
  const hole = (key: Key): number => keyVolume(key, asked.playMm, key.depthMm + asked.playMm);
  const above = plain.above.volumeMm3 - sum(hole);
  const below =
    plain.below.volumeMm3 + sum((key) => (key.kind === "PEG" ? keyVolume(key, 0, key.depthMm) : -hole(key)));
  assertVolumes(cut, [above, below], what, 1e-3);
  const [inAbove, inBelow] = [insideOf(cut.above), insideOf(cut.below)];
  for (const key of cut.keys) {
    const reach = 0.7 * key.sizeMm;
    for (let i = 0; i < 40; i++) {
      const shares = [((i * 0.618) % 1) - 0.5, ((i * 0.382) % 1) - 0.5, (i / 40) * 2 - 1];
      const point = pointOf(asked.frame, [
        key.u + shares[0] * 2 * reach,
        key.v + shares[1] * 2 * reach,
        shares[2] * key.depthMm,
      ]);
      assert.ok(!(inAbove(point) && inBelow(point)), `${what}: ${point} is in both parts`);
    }
  }
}

/** Planes that cross the shapes as a whole: concave faces, faces with holes, several faces. */
const KEYED: readonly (readonly [name: string, origin: Vec3, direction: Vec3, keys: number])[] = [
  ["block", [0, 0, 1], [0, 0, 1], 2],
  ["block", [1, 2, 3], [1, 2, 3], 2],
  ["cylinder", [0, 0, 0], [0, 0.2, 1], 2],
  ["torus", [0, 0, 0.5], [0, 0, 1], 2],
  ["torus", [0, 0, 0], [1, 0, 0], 4],
  ["table", [0, 0, 10], [0, 0, 1], 8],
  ["stairs", [0, 0, 10], [0, 0, -1], 2],
  ["far block", [5000, -3000, 700], [0, 1, 0], 2],
];

for (const [[name, origin, direction, count], declare] of sampledTests(KEYED, 3)) {
  declare(
    `automatic keys of a ${name} across ${direction.join()}: ${count}, away from the rim, closed parts that fit`,
    async () => {
      const { mesh } = shapeNamed(name);
      const asked = request(mesh, frameOf(origin, direction), { keys: "AUTO" });
      const cut = await cutMesh(asked, noProgress);
      assert.ok(cut);
      assert.equal(cut.keys.length, count);
      assertParts(cut, asked.frame, name, Math.max(...cut.keys.map(({ depthMm }) => depthMm)));
      await assertKeyed(asked, cut, name);
      const isInside = insideOf(mesh);
      for (const { u, v, sizeMm, depthMm } of cut.keys) {
        assert.ok(sizeMm >= 1 && sizeMm <= 8 && depthMm >= sizeMm / 2 && depthMm <= sizeMm);
        for (let i = 0; i < 32; i++) {
          const [cos, sin] = [Math.cos((i * Math.PI) / 16), Math.sin((i * Math.PI) / 16)];
          const reach = 2 * sizeMm * 0.98;
          assert.ok(
            isInside(pointOf(asked.frame, [u + reach * cos, v + reach * sin, 0])),
            `${name}: a key near the rim`,
          );
        }
      }
    },
  );
}

test("a face on which no key fits has none, and one where only one fits a square one", async () => {
  const frame = frameOf([0, 0, 0], [0, 0, 1]);
  const keysOf = async (size: Vec3) =>
    (await cutMesh(request(meshOf(box(size)), frame, { keys: "AUTO" }), noProgress))?.keys;
  assert.deepEqual(await keysOf([3, 3, 20]), []);
  const single = await keysOf([4.4, 4.4, 20]);
  assert.deepEqual(
    single?.map(({ shape, sizeMm }) => [shape, sizeMm]),
    [["SQUARE", 1]],
  );
  const pair = await keysOf([4.4, 20, 20]);
  assert.equal(pair?.length, 2);
  assert.ok(Math.abs(pair[0].v - pair[1].v) > 15);
  // A plate of 1 mm has no room for a hole.
  assert.deepEqual(await keysOf([40, 40, 1]), []);
});

test("the size of automatic keys is a share of the largest circle inside, at most 8 mm, and follows the scale of the model", async () => {
  const frame = frameOf([0, 0, 0], [0, 0, 1]);
  const sizeOf = async (side: number, scale: number): Promise<number | undefined> => {
    const cut = await cutMesh(request(meshOf(box([side, 2 * side, 60])), frame, { keys: "AUTO", scale }), noProgress);
    return cut?.keys[0].sizeMm;
  };
  for (const side of [10, 24, 40]) {
    const size = await sizeOf(side, 1);
    assert.ok(size && Math.abs(size - 0.35 * (side / 2)) < 0.1, `${size} for ${side}`);
  }
  assert.equal(await sizeOf(60, 1), 8);
  assert.ok(Math.abs((await sizeOf(10, 3))! - 0.35 * 15) < 0.1);
});

const someKey: Key = { u: 0, v: 0, kind: "PEG", shape: "ROUND", sizeMm: 6, depthMm: 5, turnDeg: 0 };

test("given keys of each kind and shape are made with their play; those off the face or near the surface are told", async () => {
  const { mesh } = shapeNamed("block");
  for (const kind of ["PEG", "DOWEL"] as const) {
    for (const shape of ["ROUND", "SQUARE", "HEXAGON"] as const) {
      const keys = [
        { ...someKey, kind, shape, turnDeg: 30 },
        { ...someKey, kind, shape, u: 12.5 },
        { ...someKey, kind, shape, v: -12, depthMm: 24 },
      ];
      const asked = request(mesh, frameOf([0, 0, 0], [0, 0, 1]), { keys, playMm: 0.2 });
      const cut = await cutMesh(asked, noProgress);
      assert.ok(cut);
      assert.deepEqual(cut.offFace, [1]);
      assert.deepEqual(cut.nearSurface, [2]);
      assert.deepEqual(cut.keys, [keys[0], keys[2]]);
      assertParts(cut, asked.frame, shape, kind === "PEG" ? 24 : 0);
      await assertKeyed(asked, cut, `${kind} ${shape}`);
      assert.equal(cut.dowels.length, kind === "DOWEL" ? 2 : 0);
      cut.dowels.forEach((dowel, i) => {
        assertClosedManifold(dowel, "dowel");
        const expected = keyVolume(cut.keys[i], 0, 2 * cut.keys[i].depthMm);
        assert.ok(Math.abs(dowel.volumeMm3 - expected) < 0.01 * expected);
      });
    }
  }
});
