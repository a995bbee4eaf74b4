import { getOrInsert } from "../../core/memoize.ts";
import { type SurfaceCapsule, coversPlace } from "../../geometry/surface-capsule.ts";
import type { SurfacePoint } from "../points/underside.ts";

/** Side of a cell of the grid, mm: strokes of brushes are 1 to 20 mm wide. */
const CELL_MM = 4;
/** Capsules that cover more cells are tested for every point. */
const MAX_CELLS = 400;

/** Finds the capsules that cover a point, by the cells of a grid as seen from above. */
export class CapsuleGrid {
  readonly #cells = new Map<string, SurfaceCapsule[]>();
  readonly #wide: SurfaceCapsule[] = [];

  constructor(capsules: readonly SurfaceCapsule[]) {
    for (const capsule of capsules) this.#add(capsule);
  }

  /** Whether a capsule covers a point of the surface whose normal is within 90° of the normal there. */
  covers({ position, normal }: SurfacePoint): boolean {
    const [x, y] = position;
    const near = this.#cells.get(cellKey(cellOf(x), cellOf(y))) ?? [];
    return [near, this.#wide].some((capsules) => capsules.some((capsule) => coversPlace(capsule, position, normal)));
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
