import type { RaftType } from "../catalog/raft-type.ts";

/** The settings on which the height of a model on its supports depends. */
export interface LiftSettings {
  readonly raftType: RaftType;
  readonly raftThicknessMm: number;
  readonly heightAboveRaftMm: number;
  readonly zCompressionCorrectionMm: number;
}

/** Thickness of a raft before the correction of z compression; 0 if pillars stand on the platform itself. */
export const raftThicknessMm = ({ raftType, raftThicknessMm: mm }: LiftSettings): number =>
  raftType === "NONE" ? 0 : mm;

/** Height at which pillars end: the top of the raft, or the platform raised by the compression of the first layers. */
export const groundMm = (settings: LiftSettings): number =>
  raftThicknessMm(settings) + settings.zCompressionCorrectionMm;

/** Height of the lowest point of a model on its supports. */
export const liftMm = (settings: LiftSettings): number => groundMm(settings) + settings.heightAboveRaftMm;
