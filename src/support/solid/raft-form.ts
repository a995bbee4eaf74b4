import { type BuildVolume, volumeRim } from "../../geometry/build-volume.ts";
import { offsetPolygons } from "../../geometry/polygon-operations.ts";
import type { Polygons } from "../../geometry/polygon.ts";
import type { LayerLoad } from "../../hold/layer-loads.ts";
import { raftThicknessMm } from "../../hold/support-lift.ts";
import type { SupportSettings } from "../support-settings.ts";

/** The lower end of a pillar seen from above, mm. */
export interface PillarFoot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface RaftRequest {
  readonly feet: readonly PillarFoot[];
  readonly settings: SupportSettings;
  /** x, y of the convex hull of the model's silhouette. */
  readonly footprint: Float64Array;
  /** If given, the raft stays inside. */
  readonly volume?: BuildVolume | undefined;
  /** Least area on the platform that the raft needs. */
  readonly neededAreaMm2: number;
  /** Pulls of the film that the raft bears, including those that act outside of its outline. */
  readonly loads?: readonly LayerLoad[];
}

/** The properties in which raft types differ. */
export interface RaftForm {
  /** Thickness of the raft before the correction of z compression; 0 if pillars stand on the platform itself. */
  readonly thicknessMm: number;
  /** How far the raft extends beyond the foot of a pillar, at the platform. */
  readonly marginMm: number;
  /** Half the width of the gaps between feet that the raft fills. */
  readonly joinMm: number;
  /** Whether bars connect all parts of the raft, so that it comes off in one piece. */
  readonly isOnePiece: boolean;
  /** Largest horizontal extent of the bevel by which the rim overhangs, for a scraper. */
  readonly bevelMm: number;
}

/** Gives a thin pillar twelve times its cross-section on the platform. */
const MARGIN_MM = 1;
/** A scraper's blade is about 0.5 mm thick: it gets under a rim that overhangs by twice that. */
const BEVEL_MM = 1;
/** Narrower clefts in the rim of a plate only trap resin. */
const FULL_JOIN_MM = 2;
/** A scraper lifts rafts nearer to each other together. */
const MINI_JOIN_MM = 1.5;
/** Flare of a pillar without raft. */
const FLARE_MM = 0.3;

/**
 * - `FULL_RAFT`: one plate under all feet that fills the gaps between them, with bars between parts that are far apart.
 * - `MINI_RAFT`: a plate under each cluster of feet.
 * - `MINI_RAFTS_ON_BP`: a disc under each pillar; only discs that touch become one.
 * - `NONE`, and any raft without thickness: pillars stand on the platform, with a small flare.
 */
export function raftForm(settings: SupportSettings): RaftForm {
  const { raftType } = settings;
  const thicknessMm = raftThicknessMm(settings);
  const plate = { thicknessMm, marginMm: MARGIN_MM, bevelMm: BEVEL_MM };
  if (raftType === "NONE" || thicknessMm === 0) {
    return { thicknessMm: 0, marginMm: FLARE_MM, joinMm: 0, isOnePiece: false, bevelMm: 0 };
  }
  switch (raftType) {
    case "FULL_RAFT":
      return { ...plate, joinMm: FULL_JOIN_MM, isOnePiece: true };
    case "MINI_RAFT":
      return { ...plate, joinMm: MINI_JOIN_MM, isOnePiece: false };
    case "MINI_RAFTS_ON_BP":
      return { ...plate, joinMm: 0, isOnePiece: false };
  }
}

/** The offset of the rim of a raft's plate at a height, outward from where it meets the platform. */
export interface ProfileLevel {
  readonly zMm: number;
  readonly outMm: number;
}

/**
 * The profile of the rim of a raft's plate, from the platform up. It is vertical as far as early layers are merged and z is
 * compressed, then slopes outward at 45° (which prints without supports), and ends vertical where the plate is thicker. Without a raft
 * it is the profile of the base of the flares of pillars; empty if that has no height.
 */
export function raftProfile(settings: SupportSettings): readonly ProfileLevel[] {
  const { thicknessMm, bevelMm } = raftForm(settings);
  const { earlyLayerMergeMm, zCompressionCorrectionMm } = settings;
  const merged = Math.max(earlyLayerMergeMm, zCompressionCorrectionMm);
  const top = thicknessMm === 0 ? merged : thicknessMm + zCompressionCorrectionMm;
  const vertical = Math.min(merged, top);
  const bevel = Math.min(bevelMm, top - vertical);
  const levels = [
    { zMm: 0, outMm: 0 },
    { zMm: vertical, outMm: 0 },
    { zMm: vertical + bevel, outMm: bevel },
    { zMm: top, outMm: bevel },
  ];
  // The last of several levels at one height counts.
  return top > 0 ? levels.filter(({ zMm }, i) => zMm < (levels[i + 1]?.zMm ?? Infinity)) : [];
}

/** Outward offset of the raft's top against its rim at the platform. */
export const rimOverhangMm = (settings: SupportSettings): number => raftProfile(settings).at(-1)?.outMm ?? 0;

const RIM_PIECES = 16;

/**
 * Where a raft may meet the platform, so that its overhanging rim stays inside the volume; undefined without a volume.
 */
export async function raftBounds({ volume, settings }: RaftRequest): Promise<Polygons | undefined> {
  if (!volume) return undefined;
  return await offsetPolygons([Float64Array.from(volumeRim(volume, RIM_PIECES).flat())], -rimOverhangMm(settings));
}
