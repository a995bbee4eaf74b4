import { exactLength, sizeOf } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { facetTree } from "../bvh/facet-tree.ts";
import { canonicalMesh } from "../canonical.ts";
import { combine } from "../combine.ts";
import { measure } from "../measure.ts";
import { type Mesh, triangleCount } from "../mesh.ts";
import { faultsOf } from "../survey.ts";
import { deviationMm, farthestFrom } from "./deviation.ts";
import { dropDuplicates } from "./drop-duplicates.ts";
import { dropInner } from "./drop-inner.ts";
import { partFaultyBodies } from "./faulty-bodies.ts";
import { finestMm } from "./finest.ts";
import { mend } from "./mend.ts";
import { remesh } from "./remesh/remesh.ts";
import { remeshLoses } from "./remesh/remesh-loses.ts";
import { resolveCrossings } from "./resolve-crossings.ts";
import { surveyFor } from "./survey-for.ts";

export interface Repaired {
  /** The very mesh that was given where it needed nothing, and where nothing could be done. */
  readonly mesh: Mesh;
  /** Whether it bounds a solid now. */
  readonly isSound: boolean;
  /** How far a surface that was made anew lies from the old one, and the old one from it; absent where facets were kept. */
  readonly deviationMm?: number;
}

/** What is cut may cross anew; few meshes take more than two rounds. */
const MOST_ROUNDS = 12;
/** Of the diagonal: no round leaves out more. */
const COARSEST_SHARE = 3e-5;
/** A volume of less than its area by this share of its diagonal is none: the two sides of a sheet. */
const SHEET_SHARE = 1e-7;
/** Less of the area kept than this: facets that each were closed by themselves and enclose nothing. */
const LEAST_KEPT = 0.5;

/** Of the diagonal: a new surface farther away is that of something else. */
const LARGEST_DEVIATION = 0.1;

/** Share of the work after which only a new surface can help. */
const TRIED = 0.6;

/**
 * Makes a mesh the closed boundary of the solid that a person means by it: {@link mend}, {@link resolveCrossings}, and where
 * those do not do, {@link remesh} of the bodies that they leave broken.
 */
export function repair(mesh: Mesh, watch: Watch): Repaired {
  const repaired = repairOrRemesh(mesh, watch);
  watch.report(1);
  return repaired;
}

function repairOrRemesh(mesh: Mesh, watch: Watch): Repaired {
  const resolved = resolvedMesh(mesh, watch.part(0, TRIED));
  if (resolved) return { mesh: resolved, isSound: true };
  const { sound, faulty } = partFaultyBodies(mend(mesh, watch.part(TRIED, TRIED)));
  const isPart = triangleCount(sound) > 0 && triangleCount(faulty) > 0;
  const mostMm = LARGEST_DEVIATION * exactLength(sizeOf(mesh.box));
  if (!isPart && remeshLoses(mesh, mostMm, watch.part(TRIED, TRIED))) return { mesh, isSound: false };
  const remade = remesh(isPart ? faulty : mesh, watch.part(TRIED, 0.8));
  if (triangleCount(remade) === 0) return { mesh, isSound: false };
  const whole = canonicalMesh(isPart ? combine([sound, remade]) : remade, 1, watch.part(0.8, 0.81));
  // What is cut off later brings it no nearer.
  if (farthestFrom(facetTree(whole, watch.part(0.81, 0.82)), mesh, watch.part(0.82, 0.83)) > mostMm) {
    return { mesh, isSound: false };
  }
  const joined = resolvedMesh(whole, watch.part(0.83, 0.95));
  if (!joined) return { mesh, isSound: false };
  const deviation = deviationMm(mesh, joined, watch.part(0.95, 1));
  if (deviation > mostMm) return { mesh, isSound: false };
  return { mesh: joined, isSound: true, deviationMm: deviation };
}

/** The mesh mended and cut until it bounds a solid, crosses itself nowhere, and none of this changes it any more. */
function resolvedMesh(mesh: Mesh, watch: Watch): Mesh | undefined {
  const diagonalMm = exactLength(sizeOf(mesh.box));
  const coarsestMm = Math.max(finestMm(mesh.box, 0), COARSEST_SHARE * diagonalMm);
  const isSolid = (one: Mesh, part: Watch): boolean =>
    faultsOf(surveyFor(one, part)).length === 0 && one.volumeMm3 > SHEET_SHARE * diagonalMm * one.areaMm2;
  const leastAreaMm2 = (): number =>
    LEAST_KEPT * measure(mesh.vertices, dropDuplicates(mesh, watch.part(0, 0)).triangles).areaMm2;
  let [cut, isUncrossed] = [mesh, false];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // Most meshes take one round or two.
    const part = watch.part(1 - 0.5 ** round, 1 - 0.5 ** (round + 1));
    // Sheets that a cut leaves at one vertex harm nothing, and might cross if they were parted.
    const mended = mend(cut, part.part(0, 0.4), round === 0 ? "vertices" : "edges");
    if (!isSolid(mended, part.part(0, 0.4))) return undefined;
    if (round === 0 && mended !== mesh && mended.areaMm2 < leastAreaMm2()) return undefined;
    if (!isUncrossed || mended !== cut) {
      const finest = Math.min(finestMm(mesh.box, round), coarsestMm);
      const next = resolveCrossings(mended, finest, coarsestMm, part.part(0.4, 0.9));
      if (next === undefined || triangleCount(next.surface) === 0) return undefined;
      if (next.surface !== mended) {
        [cut, isUncrossed] = [canonicalMesh(next.surface, 1, part.part(0.9, 1)), next.isUncrossed];
        continue;
      }
    }
    const kept = outer(mended, part.part(0.9, 1));
    if (kept === mended && mend(mended, part.part(1, 1)) === mended) return mended;
    [cut, isUncrossed] = [kept, true];
  }
  return undefined;
}

/** The mesh without bodies in the material of others; the same object where there are none. */
function outer(mesh: Mesh, watch: Watch): Mesh {
  const kept = dropInner(mesh, watch.part(0, 0.5));
  return kept === mesh ? mesh : canonicalMesh(kept, 1, watch.part(0.5, 1));
}
