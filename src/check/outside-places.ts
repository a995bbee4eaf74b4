import type { Progress } from "../core/progress.ts";
import { BOUNDS_TOLERANCE_MM, type BuildVolume, distanceOutside, volumeFootprint } from "../geometry/build-volume.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { cornersOf, placedSurface, triangleCount } from "../mesh/mesh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { facetCellMm, facetPoints } from "./facet-points.ts";
import { type FindingPlace, type VolumeSide, newPlaceFinder } from "./finding-place.ts";

/** A model with its supports, and the volume that they should be in. */
export interface OutsideRequest {
  readonly bodies: readonly PlacedMesh[];
  readonly volume: BuildVolume;
}

const FACETS_PER_REPORT = 4096;

/** The places where a model reaches beyond each side of the build volume, the farthest first, with the distance in mm as the size. */
export function outsidePlaces({ bodies, volume }: OutsideRequest, progress: Progress): FindingPlace[] {
  const surfaces = bodies.map(placedSurface);
  const cellMm = Math.max(...surfaces.map(facetCellMm));
  const sides = sidesOf(volume).map((side) => ({ ...side, finder: newPlaceFinder(cellMm), mostMm: 0 }));
  surfaces.forEach((surface, i) => {
    const count = triangleCount(surface);
    const part = progress.part(i / surfaces.length, (i + 1) / surfaces.length);
    for (let facet = 0; facet < count; facet++) {
      if (facet % FACETS_PER_REPORT === 0) part.report(facet / count);
      // The volume is convex: a facet whose corners are all inside is inside.
      const corners = cornersOf(surface, facet);
      const reached = sides.filter(({ beyondMm }) => corners.some((corner) => beyondMm(corner) > BOUNDS_TOLERANCE_MM));
      for (const point of reached.length > 0 ? facetPoints(surface, facet, cellMm) : []) {
        for (const side of reached) {
          const mm = side.beyondMm(point);
          if (mm > BOUNDS_TOLERANCE_MM) side.finder.add(...point);
          side.mostMm = Math.max(side.mostMm, mm);
        }
      }
    }
  });
  return sides
    .flatMap(({ kind, finder, mostMm }) => {
      const place = finder.whole();
      return place ? [{ ...place, kind, size: mostMm }] : [];
    })
    .sort((a, b) => b.size - a.size);
}

interface Side {
  readonly kind: VolumeSide;
  /** Distance of a point beyond the side; not positive inside. */
  beyondMm(point: Vec3): number;
}

function sidesOf(volume: BuildVolume): readonly Side[] {
  const [x, y, z] = volume.dimensionsMm;
  const footprint = volumeFootprint(volume);
  const flat: readonly Side[] = [
    { kind: "LEFT", beyondMm: (point) => -x / 2 - point[0] },
    { kind: "RIGHT", beyondMm: (point) => point[0] - x / 2 },
    { kind: "FRONT", beyondMm: (point) => -y / 2 - point[1] },
    { kind: "BACK", beyondMm: (point) => point[1] - y / 2 },
    { kind: "PLATFORM", beyondMm: (point) => -point[2] },
    { kind: "TOP", beyondMm: (point) => point[2] - z },
  ];
  // Points beyond a side are reported only for that side.
  const isWithin = ([px, py]: Vec3): boolean => Math.abs(px) <= x / 2 && Math.abs(py) <= y / 2;
  const corner = (point: Vec3): number => (isWithin(point) ? distanceOutside(footprint, point[0], point[1]) : 0);
  return [...flat, { kind: "CORNER", beyondMm: corner }];
}
