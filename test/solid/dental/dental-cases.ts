import assert from "node:assert/strict";
import { noProgress } from "../../../src/core/progress.ts";
import { UPRIGHT } from "../../../src/geometry/pose.ts";
import { boxCentre } from "../../../src/geometry/box.ts";
import { describeDefects, meshReport } from "../../../src/mesh/mesh-report.ts";
import type { Mesh, Surface } from "../../../src/mesh/mesh.ts";
import { type DentalModel, type DentalRequest, dentalModel } from "../../../src/solid/dental/dental-model.ts";
import { cylinder } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { facetsOf } from "../../fixture/surface-edits.ts";

export const DRAINS = { radiusMm: 1.5, heightRatio: 1, apartMm: 2, mostPerContour: 2 };
export const NO_DRAINS = { ...DRAINS, mostPerContour: 0 };

/** The dental model of a mesh whose raw coordinates are those of the scene. */
export function makeDental(mesh: Mesh, changes: Partial<DentalRequest> = {}): Promise<DentalModel> {
  const origin = boxCentre(mesh.box);
  return dentalModel(
    {
      mesh,
      standing: { origin, orientation: UPRIGHT, scale: 1, heightMm: origin[2] },
      cut: { heightMm: 0 },
      extrudeMm: 5,
      isSmoothed: false,
      keepsAllPieces: false,
      ...changes,
    },
    noProgress,
  );
}

export function assertNear(actual: number, expected: number, tolerance: number, what = ""): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what} ${actual} is not ${expected} ± ${tolerance}`);
}

export const assertShare = (actual: number, expected: number, share: number, what = ""): void =>
  assertNear(actual, expected, share * Math.abs(expected), what);

export const assertClosedManifold = (mesh: Mesh, what = ""): void =>
  assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), [], what);

/** Area of the facets in the plane z that face down. */
export function bottomArea({ vertices, triangles }: Mesh, zMm: number): number {
  let area = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const corners = [0, 1, 2].map((k) => 3 * triangles[at + k]);
    if (corners.some((corner) => Math.abs(vertices[corner + 2] - zMm) > 1e-4)) continue;
    const [a, b, c] = corners;
    area +=
      ((vertices[b] - vertices[a]) * (vertices[c + 1] - vertices[a + 1]) -
        (vertices[b + 1] - vertices[a + 1]) * (vertices[c] - vertices[a])) /
      -2;
  }
  return area;
}

export const circleArea = (radius: number, segments: number): number =>
  (segments / 2) * radius * radius * Math.sin((2 * Math.PI) / segments);

/** Each facet as the text of its corners' coordinates. */
export const facetKeys = ({ vertices, triangles }: Surface): Set<string> =>
  new Set(
    facetsOf({ triangles }).map((facet) => {
      const corners = facet.map((v) => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]].join(" "));
      const first = corners.indexOf(corners.toSorted()[0]);
      return [...corners.slice(first), ...corners.slice(0, first)].join("; ");
    }),
  );

export const SEGMENTS = 96;
export const drum = meshOf(cylinder(10, 12, SEGMENTS));
