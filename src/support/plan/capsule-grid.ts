import { getOrInsert } from "../../core/memoize.ts";
import { type Vec3, dot, lerp, subtract } from "../../geometry/vector.ts";
import type { SurfacePoint } from "../points/underside.ts";

/** The places of a surface within a distance of a segment: a piece of a stroke. */
export interface SurfaceCapsule {
  readonly from: End;
  readonly to: End;
  readonly radiusMm: number;
}

interface End {
  readonly point: Vec3;
  /** Outward unit normal of the surface where the person put the end. */
  readonly normal: Vec3;
}

/** Side of a cell of the grid, mm: strokes of brushes are 1 to 20 mm wide. */
const CELL_MM = 4;
/** Capsules that cover more cells are tested for every point. */
const MAX_CELLS = 400;
/** Normals at a right angle do not count, whatever rounding makes of them: the walls beside a face that was painted to its edge. */
const LEAST_COSINE = 1e-6;

/** Finds the capsules that cover a point, by the cells of a grid as seen from above. */
export class CapsuleGrid {
  readonly #cells = new Map<string, SurfaceCapsule[]>();
  readonly #wide: SurfaceCapsule[] = [];

  constructor(capsules: readonly SurfaceCapsule[]) {
    for (const capsule of capsules) this.#add(capsule);
  }

  /** Whether a capsule covers a point of the surface whose normal is within 90° of the normal there. */
  covers(point: SurfacePoint): boolean {
    const [x, y] = point.position;
    const near = this.#cells.get(cellKey(cellOf(x), cellOf(y))) ?? [];
    return [near, this.#wide].some((capsules) => capsules.some((capsule) => coversPoint(capsule, point)));
  }

  #add(capsule: SurfaceCapsule): void {
    const { from, to, radiusMm } = capsule;
    const [left, front, right, back] = [
      cellOf(Math.min(from.point[0], to.point[0]) - radiusMm),
      cellOf(Math.min(from.point[1], to.point[1]) - radiusMm),
      cellOf(Math.max(from.point[0], to.point[0]) + radiusMm),
      cellOf(Math.max(from.point[1], to.point[1]) + radiusMm),
    ];
    if ((right - left + 1) * (back - front + 1) > MAX_CELLS) {
      this.#wide.push(capsule);
      return;
    }
    for (let i = left; i <= right; i++) {
      for (let j = front; j <= back; j++) {
        getOrInsert(this.#cells, cellKey(i, j), (): SurfaceCapsule[] => []).push(capsule);
      }
    }
  }
}

const cellOf = (mm: number): number => Math.floor(mm / CELL_MM);
const cellKey = (i: number, j: number): string => `${i} ${j}`;

function coversPoint({ from, to, radiusMm }: SurfaceCapsule, { position, normal }: SurfacePoint): boolean {
  const along = subtract(to.point, from.point);
  const square = dot(along, along);
  const share = square > 0 ? Math.min(1, Math.max(0, dot(subtract(position, from.point), along) / square)) : 0;
  const aside = subtract(position, lerp(from.point, to.point, share));
  return dot(aside, aside) <= radiusMm * radiusMm && dot(lerp(from.normal, to.normal, share), normal) > LEAST_COSINE;
}
