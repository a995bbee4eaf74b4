import { add, exactLength, subtract, times, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { Region } from "../../mesh/boolean/region/region.ts";
import { triangulated } from "../../mesh/boolean/region/triangulated.ts";
import type { ChartPlace } from "./chart.ts";
import { refined } from "./refined.ts";

/** A region of the plane laid on a surface: where its corners lie, and three corners of each triangle. */
export interface Sheet {
  readonly corners: readonly ChartPlace[];
  readonly triangles: readonly number[];
}

/** How exactly a sheet follows the surface, at each distance from it that matters. */
export interface Fineness {
  readonly offsetsMm: readonly number[];
  /** Edges leave the surface, moved out by an offset, by no more. */
  readonly toleranceMm: number;
  /** Shorter ones are not halved, however rough the surface is. */
  readonly leastEdgeMm: number;
}

/** Shares of an edge at which it is looked at. */
const LOOKS = [0.5, 0.25, 0.75];

/** Share of the progress at which the triangles are small. */
const REFINED = 0.9;

/** The region laid on a surface by `lay`, its triangles small where the surface is curved. */
export async function sheetOf(
  region: Region,
  lay: (x: number, y: number) => ChartPlace,
  { offsetsMm, toleranceMm, leastEdgeMm }: Fineness,
  watch: Watch,
): Promise<Sheet> {
  const xy = region.flatMap((ring) => [...ring]);
  const corners: ChartPlace[] = [];
  const cornerAt = (i: number): ChartPlace => (corners[i] ??= lay(xy[2 * i], xy[2 * i + 1]));
  const isTooLong = (from: number, to: number): boolean => {
    const [x, y] = [xy[2 * to] - xy[2 * from], xy[2 * to + 1] - xy[2 * from + 1]];
    if (x * x + y * y < leastEdgeMm * leastEdgeMm) return false;
    const [start, end] = [cornerAt(from), cornerAt(to)];
    return LOOKS.some((share) => {
      const between = lay(xy[2 * from] + share * x, xy[2 * from + 1] + share * y);
      return offsetsMm.some((mm) => {
        const chord = add(times(movedOut(start, mm), 1 - share), times(movedOut(end, mm), share));
        return exactLength(subtract(chord, movedOut(between, mm))) > toleranceMm;
      });
    });
  };
  const triangles = refined(xy, await triangulated(region), isTooLong, watch.part(0, REFINED));
  const laying = watch.part(REFINED, 1);
  const count = xy.length / 2;
  for (let i = 0; i < count; i++) {
    laying.report(i / count);
    cornerAt(i);
  }
  return { corners, triangles };
}

/** The place so far out of the surface. */
export const movedOut = ({ place, normal }: ChartPlace, mm: number): Vec3 => add(place, times(normal, mm));
