import { must } from "../../core/must.ts";
import { boxSize } from "../../geometry/box.ts";
import { orientationScaleKey } from "../../geometry/pose.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import { cellMmFor } from "../../pack/cell-size.ts";
import type { PackRequest } from "../../pack/pack-chamber.ts";
import { distinctFacets } from "../facet-memory.ts";

/** Bytes of the cells of two chambers in all levels, and of the data of a packing that do not depend on the parts. */
const CHAMBER_BYTES = 125 * 2 ** 20;
/** Bytes per part in a chamber. */
const BYTES_PER_PART = 2000;
const BYTES_PER_FACET = 400;
/** Memory per facet of a mesh in each orientation in which it is placed, up to the greatest number of orientations. */
const BYTES_PER_TURNED_FACET = 60;
const MOST_ORIENTATIONS = 48;
/** Equal parts share their fields, and their cells in all orientations: bytes per cell of their box, and per cell of a side of it. */
const BYTES_PER_PART_CELL = 24;
const BYTES_PER_FACE_CELL = 2500;
/** Bytes per cell of the largest part while its field is made. */
const BYTES_PER_FIELD_CELL = 90;

/** Upper bound of the memory of a packing, measured like that of other tasks. `moreCopies`: limit for all parts together. */
export function packingBytes(
  { parts, obstacles, spacingMm }: Pick<PackRequest, "parts" | "obstacles" | "spacingMm">,
  moreCopies = 0,
): number {
  const bodies = [...parts, ...obstacles];
  const cellMm = cellMmFor(parts, spacingMm);
  const kinds = new Map(bodies.map((body) => [orientationScaleKey(body.mesh.hash, body.pose), body]));
  const turnedFacets = Map.groupBy(bodies, ({ mesh }) => mesh.hash)
    .values()
    .reduce((sum, alike) => {
      const orientations = Math.min(MOST_ORIENTATIONS, alike.length + moreCopies);
      return sum + orientations * triangleCount(must(alike[0], "The first of equal meshes").mesh);
    }, 0);
  // Other parts read the field of a part up to the spacing and about two cells.
  const cells = [...kinds.values()].map(({ mesh, pose }) =>
    boxSize(mesh.box).reduce((count, mm) => count * ((mm * pose.scale + 2 * spacingMm) / cellMm + 4), 1),
  );
  return (
    CHAMBER_BYTES +
    BYTES_PER_PART * (bodies.length + moreCopies) +
    BYTES_PER_FACET * distinctFacets(bodies) +
    BYTES_PER_TURNED_FACET * turnedFacets +
    BYTES_PER_FIELD_CELL * cells.reduce((most, count) => Math.max(most, count), 0) +
    cells.reduce((sum, count) => sum + BYTES_PER_PART_CELL * count + BYTES_PER_FACE_CELL * Math.cbrt(count) ** 2, 0)
  );
}
