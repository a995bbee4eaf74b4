import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { runAtOnce } from "../../src/core/steps.ts";
import { noProgress } from "../../src/core/progress.ts";
import { rotationMatrix } from "../../src/geometry/pose.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { type Mesh, type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { outlineOf } from "../../src/mesh/outline.ts";
import { withOverlapsOnce, withSolidVolume } from "../../src/repair/solid-volume.ts";
import { overlapsOf, placedVolumeMm3 } from "../../src/scene/overlaps.ts";
import { bodyBox } from "../../src/scene/placement.ts";
import type { PlacedBody } from "../../src/scene/project.ts";
import { type GroupColumns, commonVolume } from "../../src/slice/common-volume.ts";
import { longTest, slowRuns } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { evenly, gridOf, meshOf, slicedVolume } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";

// The volume of material of a scene: the sum over its layers.

const LAYER_MM = 0.02;

/** The volume that an import with IGNORE gives a mesh. */
const imported = (mesh: Mesh): Mesh => withOverlapsOnce(withSolidVolume(mesh, noProgress), noProgress);

/** Pillars in rows on a plate, like supports. */
function pillars(count: number, pitchMm: number, widthMm: number): Mesh {
  const pillar = box([widthMm, widthMm, 6]);
  const at = (i: number): number => (i - (count - 1) / 2) * pitchMm;
  const all = Array.from({ length: count ** 2 }, (_, i) =>
    moved(pillar, [at(i % count), at(Math.floor(i / count)), 3.5]),
  );
  return imported(meshOf(moved(box([count * pitchMm, count * pitchMm, 1]), [0, 0, 0.25]), ...all));
}

const BALL = uvSphere(5);
const SHAPES: Readonly<Record<string, Mesh>> = {
  box: imported(meshOf(box([9, 7, 8]))),
  ball: imported(meshOf(BALL)),
  ring: imported(meshOf(torus(5, 1.5))),
  "a ball that is there twice": imported(meshOf(BALL, BALL)),
  "two balls that overlap": imported(meshOf(BALL, moved(BALL, [4, 0, 0]))),
  "a box that crosses itself": imported(meshOf(selfCrossing())),
  pillars: pillars(10, 1.6, 0.7),
};

/** Two boxes that overlap, one of them extended to a corner of the other: connected by vertices, they are one body. */
function selfCrossing(): Surface {
  const second = moved(box([6, 6, 6]), [3, 3, 3]);
  const vertices = second.vertices.map((mm, at) =>
    second.vertices.subarray(at - (at % 3), at - (at % 3) + 3).every((v) => v === 0) ? -3 : mm,
  );
  return concatenateSurfaces([box([6, 6, 6]), { vertices, triangles: second.triangles }]);
}

const bodyAt = (mesh: Mesh, position: Vec3): PlacedBody => {
  const pose = { position, orientation: { x: 0, y: 0, z: 0 }, scale: 1 };
  return { mesh, pose, outline: outlineOf(mesh, rotationMatrix(pose.orientation)) };
};

function materialMm3(bodies: readonly PlacedBody[]): number {
  const { repeatedMm3, groups } = runAtOnce(overlapsOf(bodies));
  const common = groups.reduce(
    (sum, { placed, region }) => sum + commonVolume({ placed, region }, noProgress).betweenMm3,
    0,
  );
  return bodies.reduce((sum, body) => sum + placedVolumeMm3(body), 0) - repeatedMm3 - common;
}

function layersMm3(bodies: readonly PlacedBody[]): number {
  const topMm = Math.max(...bodies.map((body) => bodyBox(body).max[2]));
  return slicedVolume({
    placed: bodies,
    boundariesMm: evenly(Math.ceil(topMm / LAYER_MM), LAYER_MM),
    grid: gridOf(48, 48, 1),
  });
}

function assertAsLayers(bodies: readonly PlacedBody[], share: number, what: string): void {
  const [material, layers] = [materialMm3(bodies), layersMm3(bodies)];
  assert.ok(Math.abs(material / layers - 1) <= share, `${what}: ${material} mm³, and ${layers} mm³ in layers`);
}

for (const [name, mesh] of Object.entries(SHAPES)) {
  test(`the material of ${name} is the sum over its layers`, () => {
    assertAsLayers([bodyAt(mesh, [0, 0, 6])], 1e-3, name);
  });
}

test("a body that is listed several times, like the supports of copies, counts once", () => {
  const supports = bodyAt(SHAPES.pillars, [0, 0, 6]);
  const one = materialMm3([supports]);
  assert.ok(Math.abs(materialMm3([supports, supports, supports]) - one) < 1e-9 * one);
});

test("rows of pillars that overlap the rows of a copy count once, at any distance of the rows", () => {
  for (const [dx, dy] of [
    [0.3, 0.3],
    [1.6, 0],
  ]) {
    const pair = [bodyAt(SHAPES.pillars, [0, 0, 6.375]), bodyAt(SHAPES.pillars, [dx, dy, 6.675])];
    assertAsLayers(pair, 1e-3, `${dx} and ${dy} mm apart`);
  }
});

test("the material of bodies that overlap is the sum over their layers", () => {
  const random = randomFrom(3);
  const meshes = Object.values(SHAPES);
  for (let trial = 0; trial < slowRuns(4); trial++) {
    const bodies = Array.from({ length: 2 + Math.floor(4 * random()) }, () => {
      const mesh = meshes[Math.floor(meshes.length * random())];
      return bodyAt(mesh, [8 * random() - 4, 8 * random() - 4, 6 + 2 * random()]);
    });
    assertAsLayers([...bodies, bodies[0]], 3e-3, `trial ${trial}`);
  }
});

const SMALL = [SHAPES.box, SHAPES.ball, SHAPES["two balls that overlap"], SHAPES.ring];

const someBody = (random: () => number): PlacedBody =>
  bodyAt(SMALL[Math.floor(SMALL.length * random())], [6 * random() - 3, 6 * random() - 3, 6 + 2 * random()]);

/** One body is added, removed or replaced. The first stays, so that the positions of the others in their group do not change. */
function changed([first, ...others]: readonly PlacedBody[], random: () => number): PlacedBody[] {
  const at = Math.floor(others.length * random());
  const [removed, added] = [random() < 0.6 ? 1 : 0, random() < 0.6 ? [someBody(random)] : []];
  return [first, ...others.toSpliced(at, removed, ...added)];
}

/** The columns of two groups, if they are the same. */
const sameColumns = (a?: GroupColumns, b?: GroupColumns): boolean =>
  a !== undefined &&
  isDeepStrictEqual([a.region, a.grid.columns, a.grid.rows], [b?.region, b?.grid.columns, b?.grid.rows]);

longTest("after any changes, the common volume exactly equals that of bodies that are cut together", () => {
  const random = randomFrom(4);
  for (let run = 0; run < slowRuns(1); run++) {
    let bodies = Array.from({ length: 8 }, () => someBody(random));
    let before: GroupColumns | undefined;
    let same = 0;
    for (let change = 0; change < 4; change++) {
      const [group] = runAtOnce(overlapsOf(bodies)).groups;
      const { columns, ...found } = commonVolume({ ...group, before }, noProgress);
      const { columns: _, ...fresh } = commonVolume(group, noProgress);
      assert.deepEqual(found, fresh, `run ${run}, change ${change}`);
      if (sameColumns(before, columns)) same++;
      before = columns;
      bodies = changed(bodies, random);
    }
    assert.ok(same > 0, `the columns were the same after ${same} changes`);
  }
});

test("in a group that was measured before, only new bodies are cut", () => {
  const bodies = [0, 2, 1, 1.5, 0.5, 1.3, 0.3, 0.8].map((mm) => bodyAt(SHAPES.ball, [mm, mm, 6]));
  const groupOf = (some: readonly PlacedBody[]) => runAtOnce(overlapsOf(some)).groups[0];
  const { columns: before } = commonVolume(groupOf(bodies.slice(0, 7)), noProgress);
  const group = groupOf(bodies);
  const nothing = { vertices: new Float32Array(), triangles: new Uint32Array() };
  const placed = group.placed.map((one, i) => (i < 7 ? { ...one, mesh: { ...one.mesh, ...nothing } } : one));
  const { betweenMm3, columns } = commonVolume({ ...group, placed, before }, noProgress);
  assert.ok(sameColumns(before, columns));
  assert.equal(betweenMm3, commonVolume(group, noProgress).betweenMm3);
  assert.notEqual(betweenMm3, commonVolume({ ...group, placed }, noProgress).betweenMm3);
});

test("the slabs of a common volume are at its heights and add up to it", () => {
  const stack = [0, 4, 8].map((z) => bodyAt(SHAPES.box, [0, 0, 6 + z]));
  const { betweenMm3, slabsMm3, bottomMm, topMm } = commonVolume(runAtOnce(overlapsOf(stack)).groups[0], noProgress);
  assert.ok(Math.abs(slabsMm3.reduce((sum, mm3) => sum + mm3, 0) / betweenMm3 - 1) < 1e-5);
  // Boxes of 8 mm, 4 mm apart: the lowest and the highest 4 of 16 mm are in one box alone.
  const slabMm = (topMm - bottomMm) / slabsMm3.length;
  assert.ok(Math.abs(topMm - bottomMm - 16) < 1e-6);
  for (const [i, mm3] of slabsMm3.entries()) {
    const middle = (i + 0.5) * slabMm;
    const wanted = middle > 4 && middle < 12 ? 9 * 7 * slabMm : 0;
    assert.ok(Math.abs(mm3 - wanted) < 0.01 * 63 * slabMm, `slab ${i}: ${mm3} mm³`);
  }
});
