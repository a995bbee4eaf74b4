import type { SupportSettings } from "../settings.ts";

/** What distinguishes the raft types, for given settings. */
export interface RaftForm {
  /** Of the raft, before the correction of z compression; 0 where pillars stand on the platform itself. */
  readonly thicknessMm: number;
  /** How far the raft reaches beyond a pillar's foot, at the platform. */
  readonly marginMm: number;
  /** Half the width of the gaps between feet that the raft fills. */
  readonly joinMm: number;
  /** Whether bars lead from each part of the raft to the next, so that it comes off as one piece. */
  readonly isOnePiece: boolean;
  /** How far the rim leans outward on its way up at most, for a scraper to get under it. */
  readonly bevelMm: number;
}

/** The foot of a thin pillar holds twelve times its section. */
const MARGIN_MM = 1;
/** A scraper's blade is about 0.5 mm thick: it gets under a rim that hangs over by twice that. */
const BEVEL_MM = 1;
/** Narrower clefts in the rim of a plate only trap resin. */
const FULL_JOIN_MM = 2;
/** Rafts nearer than a scraper's blade and its way in are lifted together. */
const MINI_JOIN_MM = 1.5;
/** The flare of a bare pillar. */
const FLARE_MM = 0.3;

/**
 * - `FULL_RAFT`: one plate under all feet, which fills the gaps between them, with bars between parts that are far apart.
 * - `MINI_RAFT`: a plate under each cluster of feet.
 * - `MINI_RAFTS_ON_BP`: a disc under each pillar; only discs that touch become one.
 * - `NONE`, and any raft without thickness: pillars stand on the platform, a little wider at their feet.
 */
export function raftForm({ raftType, raftThicknessMm }: SupportSettings): RaftForm {
  const plate = { thicknessMm: raftThicknessMm, marginMm: MARGIN_MM, bevelMm: BEVEL_MM };
  if (raftType === "NONE" || raftThicknessMm === 0) {
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
