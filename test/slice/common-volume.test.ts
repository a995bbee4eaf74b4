import assert from "node:assert/strict";
import { test } from "node:test";
import { atOnce } from "../../src/core/in-turns.ts";
import { noProgress } from "../../src/core/progress.ts";
import { rotationMatrix } from "../../src/geometry/pose.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { type Mesh, type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { outlineOf } from "../../src/mesh/outline.ts";
import { withOverlapsOnce, withSolidVolume } from "../../src/repair/solid-volume.ts";
import { overlapsOf, placedVolumeMm3 } from "../../src/scene/overlaps.ts";
import { bodyBox } from "../../src/scene/placement.ts";
import type { PlacedBody } from "../../src/scene/project.ts";
import { commonVolumeMm3 } from "../../src/slice/common-volume.ts";
import { slowRuns } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { evenly, gridOf, meshOf, slicedVolume } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";

// The material of a scene is what its layers hold.

const LAYER_MM = 0.02;

/** As an import with IGNORE sets its volume. */
const imported = (mesh: Mesh): Mesh => withOverlapsOnce(withSolidVolume(mesh, noProgress), noProgress);

/** Pillars in rows on a plate, as supports stand. */
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

/** Two boxes that reach into each other, one of them drawn out to a corner of the other: one body by its vertices. */
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
  const { repeatedMm3, groups } = atOnce(overlapsOf(bodies));
  const common = groups.reduce((sum, { placed, region }) => sum + commonVolumeMm3({ placed, region }, noProgress), 0);
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
  test(`the material of ${name} is what layers hold`, () => {
    assertAsLayers([bodyAt(mesh, [0, 0, 6])], 1e-3, name);
  });
}

test("the material of a body that is listed several times, as the supports of copies are, is that of one", () => {
  const supports = bodyAt(SHAPES.pillars, [0, 0, 6]);
  const one = materialMm3([supports]);
  assert.ok(Math.abs(materialMm3([supports, supports, supports]) - one) < 1e-9 * one);
});

test("pillars in rows that reach into those of a copy count once, whatever the distance of the rows", () => {
  for (const [dx, dy] of [
    [0.3, 0.3],
    [1.6, 0],
  ]) {
    const pair = [bodyAt(SHAPES.pillars, [0, 0, 6.375]), bodyAt(SHAPES.pillars, [dx, dy, 6.675])];
    assertAsLayers(pair, 1e-3, `${dx} and ${dy} mm apart`);
  }
});

test("the material of bodies that overlap is what layers hold", () => {
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
