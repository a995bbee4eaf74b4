import { Fault, operationFailed } from "../../core/fault.ts";
import type { Watch } from "../../core/watch.ts";
import { difference } from "../../mesh/boolean/difference.ts";
import { type Mesh, triangleCount } from "../../mesh/mesh.ts";
import { singleStepMm } from "../../mesh/single-step.ts";
import { REPAIR_IT, requireSolid } from "../require-solid.ts";
import { type Bore, cutterOf } from "./bore.ts";
import { cutMesh } from "../cut-mesh.ts";
import { feelHole } from "./feel-hole.ts";
import type { Hole } from "./hole.ts";

/** A mesh with its holes. */
export interface Drilled {
  /** The same object where no hole meets it. */
  readonly mesh: Mesh;
  /** Where each hole was cut; undefined for one that does not meet the mesh. */
  readonly bores: readonly (Bore | undefined)[];
}

/**
 * Drills holes into a mesh, all of them felt on the mesh as it was. Facets away from the holes keep their corners to the bit.
 * Throws OPERATION_FAILED where a hole meets a mesh that does not bound a solid, or where nothing of it would be left.
 */
export async function drill(mesh: Mesh, holes: readonly Hole[], watch: Watch): Promise<Drilled> {
  const feeling = watch.part(0, 0.4);
  const felt = holes.map((hole, i) => feelHole(mesh, hole, feeling.part(i / holes.length, (i + 1) / holes.length)));
  const bores = felt.map(({ bore }) => bore);
  // Where the mesh has gaps, it is not known what follows a surface.
  if (felt.some(({ isNear }) => isNear)) requireSolid(mesh, watch.part(0.4, 0.5));
  const met = bores.filter((bore) => bore !== undefined);
  if (met.length === 0) return { mesh, bores };
  requireWidth(mesh, bores);
  const drilled = await solidOrRepair(() => difference(mesh, met.map(cutterOf)));
  if (triangleCount(drilled) === 0) {
    throw operationFailed("the holes leave nothing of it: drill smaller ones, or delete the model.");
  }
  return { mesh: cutMesh(drilled, watch.part(0.8, 1)), bores };
}

/** So many steps of the coordinates' precision a cutter must measure across to be round. */
const LEAST_STEPS = 256;

function requireWidth(mesh: Mesh, bores: readonly (Bore | undefined)[]): void {
  const narrow = bores.findIndex((bore) => bore && 2 * bore.radiusMm < LEAST_STEPS * singleStepMm(mesh.box));
  if (narrow < 0) return;
  throw operationFailed(`hole ${narrow + 1} is too narrow for coordinates of single precision: drill it wider.`);
}

/** The boolean finds what a look at the edges does not. */
async function solidOrRepair<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof Fault ? operationFailed(`its surface does not bound a solid: ${REPAIR_IT}`) : thrown;
  }
}
