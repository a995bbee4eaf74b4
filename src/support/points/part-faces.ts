import type { Progress } from "../../core/progress.ts";
import { toSharedMemory } from "../../core/typed-arrays.ts";
import { boxOf } from "../../geometry/box.ts";
import { atCentre, overhangGrid } from "../../hold/part-sections.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { midHeightsMm } from "../../slice/layer-heights.ts";
import { type Overhangs, findOverhangs } from "../../slice/overhang/overhangs.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { markSurface } from "../plan/marked-surface.ts";
import type { SupportArea } from "../plan/support-area.ts";
import type { SupportSettings } from "../support-settings.ts";
import { type HoldCandidate, holdCandidates } from "./hold-candidates.ts";
import { isFlat } from "./touchpoint-spacing.ts";

/** The faces of a part that touchpoints may hold, in shared memory: they depend on no layer. */
export interface PartFaces {
  readonly overhangs: Overhangs;
  /** The candidates of points that hold the part, the lowest first: {@link candidateAt} reads them. */
  readonly candidates: PackedCandidates;
}

/** Seven numbers of each candidate: its position, its normal and its quality. */
export type PackedCandidates = Float64Array;

const CANDIDATE_NUMBERS = 7;

export interface FacesRequest {
  /** The solid of a part at the centre of the platform. */
  readonly surface: Surface;
  readonly boundariesMm: Float64Array;
  readonly settings: SupportSettings;
  readonly areas?: readonly SupportArea[] | undefined;
  /** The part, for its areas. Its x and y do not matter. */
  readonly placed: PlacedMesh;
}

export function partFaces(request: FacesRequest, progress: Progress): PartFaces {
  const { surface, boundariesMm, settings, areas, placed } = request;
  const { selfSupportingAngleDeg: angleDeg, onlyMinima, density, slopeMultiplier } = settings;
  const grid = overhangGrid(boxOf(surface.vertices));
  const sampleHeightsMm = midHeightsMm(boundariesMm);
  const { starts, pixels, facets, maxRiseMm } = findOverhangs({ surface, sampleHeightsMm, grid, angleDeg }, progress);
  const marks = markSurface(surface, areas, atCentre(placed));
  const isWanted = ({ point }: HoldCandidate): boolean =>
    (slopeMultiplier > 0 || isFlat(point.normal)) && !marks?.isBarred(point);
  const candidates = onlyMinima || density === 0 ? [] : holdCandidates(surface).filter(isWanted);
  return {
    overhangs: {
      starts: toSharedMemory(starts),
      pixels: toSharedMemory(pixels),
      facets: toSharedMemory(facets),
      maxRiseMm,
    },
    candidates: packCandidates(candidates),
  };
}

function packCandidates(candidates: readonly HoldCandidate[]): PackedCandidates {
  const packed = toSharedMemory(new Float64Array(CANDIDATE_NUMBERS * candidates.length));
  for (const [i, { point, quality }] of candidates.entries()) {
    packed.set([...point.position, ...point.normal, quality], CANDIDATE_NUMBERS * i);
  }
  return packed;
}

export const unpackCandidates = (packed: PackedCandidates): HoldCandidate[] =>
  Array.from({ length: packed.length / CANDIDATE_NUMBERS }, (_, i) => {
    const at = CANDIDATE_NUMBERS * i;
    return {
      point: {
        position: [packed[at], packed[at + 1], packed[at + 2]],
        normal: [packed[at + 3], packed[at + 4], packed[at + 5]],
      },
      quality: packed[at + 6],
    };
  });
