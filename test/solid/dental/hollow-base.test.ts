import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { distanceToSurface } from "../../../src/mesh/bvh/closest-point.ts";
import type { Mesh } from "../../../src/mesh/mesh.ts";
import type { DentalRequest } from "../../../src/solid/dental/dental-model.ts";
import { checkRequest, cupsPerModel, modelBody } from "../../fixture/check-request.ts";
import { box, lathe, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { randomFrom } from "../../fixture/random.ts";
import { facetsOf, moved, withFacets } from "../../fixture/surface-edits.ts";
import {
  DRAINS,
  NO_DRAINS,
  SEGMENTS,
  assertNear,
  assertShare,
  assertClosedManifold,
  bottomArea,
  circleArea,
  drum,
  makeDental,
  facetKeys,
} from "./dental-cases.ts";
import { TOOTH_FORMS, jaw } from "./jaw.ts";
import { longTest, slowCases } from "../../fixture/long.ts";

// Interface, "dental-hollow": shell, honeycomb and drain holes.

const cups = (mesh: Mesh): number => cupsPerModel(checkRequest([modelBody(0, mesh)], 0.4), noProgress)[0];

const shellOf = (shellMm: number): DentalRequest["hollow"] => ({ shellMm, drains: NO_DRAINS });

test("a hollow drum has the volume of its closed form", async () => {
  for (const shellMm of slowCases([2.75, 1, 6])) {
    const { mesh, solid } = await makeDental(drum, { cut: { heightMm: 0 }, extrudeMm: 5, hollow: shellOf(shellMm) });
    assertClosedManifold(mesh);
    assertShare(solid!.volumeMm3, circleArea(10, SEGMENTS) * 11, 1e-5);
    const expected = solid!.volumeMm3 - circleArea(10 - shellMm, SEGMENTS) * (11 - shellMm);
    assertShare(mesh.volumeMm3, expected, 0.003, `${shellMm}`);
    assertShare(bottomArea(mesh, -5), circleArea(10, SEGMENTS) - circleArea(10 - shellMm, SEGMENTS), 0.003);
  }
});

longTest("a dome is hollow up to its roof", async () => {
  const half = meshOf(uvSphere(9, 64, 32));
  const { mesh } = await makeDental(half, { cut: { heightMm: 0 }, extrudeMm: 4, hollow: shellOf(2) });
  assertClosedManifold(mesh);
  const volume = (r: number): number => (2 / 3) * Math.PI * r ** 3 + Math.PI * r * r * 4;
  assertShare(mesh.volumeMm3, volume(9) - volume(7), 0.015);
});

const SAMPLES_PER_FACET = 3;

/** Distances from random points on the roof and walls of a cavity to the outside, three for each facet. */
function shellsOf(solid: Mesh, hollow: Mesh, bottomMm: number): number[] {
  const outside = facetKeys(solid);
  const upright = facetsOf(solid).filter((facet) => facet.some((v) => solid.vertices[3 * v + 2] > bottomMm + 1e-3));
  const tree = buildBvh(withFacets(solid, upright), noProgress);
  const random = randomFrom(5);
  const inner = facetsOf(hollow).filter((facet) => !outside.has([...facetKeys(withFacets(hollow, [facet]))][0]));
  return inner.flatMap((facet) => {
    const corners = facet.map((v) => hollow.vertices.subarray(3 * v, 3 * v + 3));
    if (corners.some(([, , z]) => z < bottomMm + 0.01)) return [];
    return Array.from({ length: SAMPLES_PER_FACET }, () => {
      const [s, t] = [random(), random()].sort();
      const at = (axis: number): number =>
        s * corners[0][axis] + (t - s) * corners[1][axis] + (1 - t) * corners[2][axis];
      return distanceToSurface(tree, [at(0), at(1), at(2)], 100);
    }).filter((distance) => distance > 0.01);
  });
}

longTest("the shell is nowhere thinner than requested", async () => {
  for (const form of slowCases([TOOTH_FORMS.molars, TOOTH_FORMS.blocks])) {
    const mesh = meshOf(jaw({ form, teeth: 3, gumMm: 9, toothMm: 7 }));
    const result = await makeDental(mesh, { cut: { heightMm: 4 }, extrudeMm: 4, isSmoothed: true, hollow: shellOf(3) });
    assertClosedManifold(result.mesh);
    const shells = shellsOf(result.solid!, result.mesh, 0);
    assert.ok(shells.length > 1000, `${shells.length}`);
    const thin = shells.filter((mm) => mm < 0.95 * 3);
    assert.ok(thin.length === 0, `${thin.length} of ${shells.length}, ${Math.min(...thin)} mm`);
    const near = shells.filter((mm) => mm < 1.15 * 3);
    assert.ok(near.length > 0.7 * shells.length, `${near.length} of ${shells.length}`);
  }
});

longTest("the shell is not thinner if walls lean inward or outward", async () => {
  for (const [below, above] of [
    [9, 6],
    [9, 8.5],
    [6, 9],
  ] as const) {
    const profile = [
      [0, -8],
      [below, -8],
      [above, 8],
      [0, 8],
    ] as const;
    const cone = meshOf(lathe(profile, SEGMENTS, false));
    const { mesh, solid } = await makeDental(cone, { cut: { heightMm: -6 }, extrudeMm: 3, hollow: shellOf(2) });
    const shells = shellsOf(solid!, mesh, -9);
    assert.ok(shells.length > 100, `${shells.length}`);
    assert.ok(Math.min(...shells) > 0.95 * 2, `${below} to ${above}: ${Math.min(...shells)} mm`);
  }
});

longTest("parts that no drain hole reaches stay solid, with a warning", async () => {
  // Two blocks and a bridge between them that is too narrow to be hollow.
  const dumbbell = meshOf(
    moved(box([12, 12, 10]), [-14, 0, 0]),
    moved(box([12, 12, 10]), [14, 0, 0]),
    box([18, 3, 10]),
  );
  const hollowTo = async (mostPerContour: number) => {
    const hollow = { shellMm: 2, drains: { ...DRAINS, mostPerContour } };
    const { mesh, solid, warnings } = await makeDental(dumbbell, { extrudeMm: 5, hollow });
    assert.equal(cups(mesh) > 0, mostPerContour === 0);
    return { share: (solid!.volumeMm3 - mesh.volumeMm3) / (8 * 8 * 8), warnings: warnings.join() };
  };
  const [sealed, one, two] = [await hollowTo(0), await hollowTo(1), await hollowTo(2)];
  assertNear(sealed.share, 2, 0.03);
  assertNear(one.share, 1, 0.03);
  assert.match(one.warnings, /1 part that no drain hole reaches stays solid/);
  assertNear(two.share, 2, 0.07);
  assert.equal(two.warnings, "");
});

longTest("the walls of a honeycomb fill the share of the cavity that follows from their thickness", async () => {
  const slab = meshOf(box([46, 42, 8]));
  for (const wallMm of slowCases([2, 0.5])) {
    const { mesh, solid } = await makeDental(slab, { extrudeMm: 6, hollow: { shellMm: 2, wallMm, drains: NO_DRAINS } });
    assertClosedManifold(mesh);
    const open = (solid!.volumeMm3 - mesh.volumeMm3) / (42 * 38 * 8);
    // Cells are 6 mm wide; thin ones at the rim stay solid.
    assertNear(open, (6 / (6 + wallMm)) ** 2, 0.05, `${wallMm}`);
  }
});

longTest("as many drain holes as fit are placed, evenly spread, and resin drains through them", async () => {
  const holeCount = (mesh: Mesh): number => holesAt(mesh, 10, -5 + 0.2).length;
  for (const [wallMm, changes, expected] of [
    [undefined, { mostPerContour: 5 }, 5],
    [undefined, { mostPerContour: 0 }, 0],
    [undefined, { mostPerContour: 100, apartMm: 11 }, 4],
    ...slowCases([
      [1, { mostPerContour: 3 }, 3],
      [1, { radiusMm: 0 }, 0],
      [undefined, { mostPerContour: 1 }, 1],
    ] as const),
  ] as const) {
    const hollow = { shellMm: 2.75, wallMm, drains: { ...DRAINS, ...changes } };
    const { mesh } = await makeDental(drum, { extrudeMm: 5, hollow });
    assertClosedManifold(mesh);
    assert.equal(holeCount(mesh), expected, JSON.stringify(changes));
    assert.equal(cups(mesh) === 0, expected > 0, `${JSON.stringify(changes)} ${wallMm}`);
  }
});

/** Angles, in degrees, of the holes in the side of a drum at a height: the centres of the gaps in its section. */
function holesAt({ vertices, triangles }: Mesh, radius: number, zMm: number): number[] {
  const covered = new Uint8Array(3600);
  for (let at = 0; at < triangles.length; at += 3) {
    const corners = [0, 1, 2].map((k) => vertices.subarray(3 * triangles[at + k], 3 * triangles[at + k] + 3));
    if (corners.some(([x, y]) => Math.abs(Math.hypot(x, y) - radius) > 0.05)) continue;
    const crossings = corners.flatMap((a, i) => {
      const b = corners[(i + 1) % 3];
      if (a[2] < zMm === b[2] < zMm) return [];
      const share = (zMm - a[2]) / (b[2] - a[2]);
      return [Math.atan2(a[1] + share * (b[1] - a[1]), a[0] + share * (b[0] - a[0])) * (1800 / Math.PI)];
    });
    if (crossings.length < 2) continue;
    let [from, to] = crossings.sort((a, b) => a - b);
    if (to - from > 1800) [from, to] = [to, from + 3600];
    for (let i = Math.ceil(from); i <= to; i++) covered[(i + 3600) % 3600] = 1;
  }
  const gaps: number[] = [];
  const first = covered.indexOf(1);
  let length = 0;
  for (let i = 1; i <= 3600; i++) {
    if (covered[(first + i) % 3600] === 0) length++;
    else {
      if (length > 5) gaps.push(((first + i - length / 2) % 3600) / 10);
      length = 0;
    }
  }
  return gaps;
}

test("two holes are opposite each other, with the requested width and height", async () => {
  const plain = await makeDental(drum, { extrudeMm: 5, hollow: { shellMm: 2, drains: NO_DRAINS } });
  for (const heightRatio of [0.5, 2]) {
    const drains = { ...DRAINS, heightRatio };
    const { mesh } = await makeDental(drum, { extrudeMm: 5, hollow: { shellMm: 2, drains } });
    const [one, other] = holesAt(mesh, 10, -4.99);
    assertNear(Math.abs(other - one), 180, 4);
    const halfEllipse = (Math.PI / 2) * 1.5 * 1.5 * heightRatio;
    assertShare(plain.mesh.volumeMm3 - mesh.volumeMm3, 2 * 2 * halfEllipse, 0.05, `${heightRatio}`);
    assert.equal(holesAt(mesh, 10, -5 + 1.5 * heightRatio - 0.05).length, 2);
    assert.equal(holesAt(mesh, 10, -5 + 1.5 * heightRatio + 0.02).length, 0);
  }
});

test("a base too thin to be hollow stays solid, and one without room for a hole has a warning", async () => {
  const thin = await makeDental(drum, { hollow: { shellMm: 20, drains: DRAINS } });
  assert.equal(thin.solid, undefined);
  assertShare(thin.mesh.volumeMm3, circleArea(10, SEGMENTS) * 11, 1e-5);
  assert.match(thin.warnings.join(), /stays solid/);
  const wide = await makeDental(drum, { hollow: { shellMm: 2, wallMm: 1, drains: { ...DRAINS, radiusMm: 40 } } });
  assertClosedManifold(wide.mesh);
  assert.match(wide.warnings.join(), /no place for a drain hole/);
});

longTest("the same request gives exactly the same mesh", async () => {
  const mesh = meshOf(jaw({ form: TOOTH_FORMS.molars, teeth: 3, gumMm: 8, toothMm: 6 }));
  for (const wallMm of slowCases([3, 1])) {
    const request = { cut: { belowGumlineMm: 0 }, isSmoothed: true, hollow: { shellMm: 3, wallMm, drains: DRAINS } };
    assert.equal((await makeDental(mesh, request)).mesh.hash, (await makeDental(mesh, request)).mesh.hash);
  }
});

longTest("a ring keeps its opening down to the bottom", async () => {
  const ring = meshOf(
    lathe(
      [
        [6, -4],
        [14, -4],
        [14, 4],
        [6, 4],
      ],
      64,
      true,
    ),
  );
  const { mesh } = await makeDental(ring, { extrudeMm: 6, isSmoothed: true, hollow: { shellMm: 2.5, drains: DRAINS } });
  assertClosedManifold(mesh);
  const open = circleArea(14, 64) - circleArea(6, 64) - circleArea(11.5, 64) + circleArea(8.5, 64);
  assertShare(bottomArea(mesh, -6), open, 0.12);
});
