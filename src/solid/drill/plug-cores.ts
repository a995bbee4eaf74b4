import type { Watch } from "../../core/watch.ts";
import { difference } from "../../mesh/boolean/difference.ts";
import { boxOf } from "../../mesh/measure.ts";
import { type Surface, triangleCount } from "../../mesh/mesh.ts";
import { type Bore, cutterOf } from "./bore.ts";
import { cutter, facetsAround } from "./cutter.ts";

/** The space that a plug may fill. */
export interface Core {
  readonly surface: Surface;
  readonly bore: Bore;
  /** The number of its hole. */
  readonly hole: number;
}

/**
 * The space in each plugged bore that leaves `playMm` all round; none where a bore is too narrow for that. Where bores cross,
 * the first has the whole plug, and one without a plug stays free.
 */
export async function plugCores(
  bores: readonly (Bore | undefined)[],
  plugged: readonly number[],
  playMm: number,
  watch: Watch,
): Promise<Core[]> {
  const cutters = bores.map((bore) => bore && cutterOf(bore));
  const cores: Core[] = [];
  for (const hole of plugged) {
    watch.report(cores.length / plugged.length);
    const bore = bores[hole];
    if (!bore || bore.radiusMm <= playMm || bore.toMm - bore.fromMm <= 2 * playMm) continue;
    const others = cutters.filter((_, other) => other < hole || (other > hole && !plugged.includes(other)));
    const surface = await outside(
      coreOf(bore, playMm),
      others.filter((other) => other !== undefined),
    );
    if (triangleCount(surface) > 0) cores.push({ surface, bore, hole });
  }
  return cores;
}

/** Its facets face those of the bore, at its ends too: those may lie in the material. */
const coreOf = ({ frame, radiusMm, fromMm, toMm }: Bore, playMm: number): Surface =>
  cutter(frame, radiusMm - playMm, fromMm + playMm, toMm - playMm, facetsAround(radiusMm));

async function outside(core: Surface, others: readonly Surface[]): Promise<Surface> {
  const { min, max } = boxOf(core.vertices);
  const near = others.filter(({ vertices }) => {
    const around = boxOf(vertices);
    return min.every((least, axis) => around.min[axis]! <= max[axis]! && around.max[axis]! >= least);
  });
  return near.length === 0 ? core : difference(core, near);
}
