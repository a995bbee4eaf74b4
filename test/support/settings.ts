import type { SupportSettings } from "../../src/support/support-settings.ts";

/** A plain full raft. */
export const SETTINGS: SupportSettings = {
  density: 1,
  slopeMultiplier: 1,
  onlyMinima: false,
  raftType: "FULL_RAFT",
  raftLabelEnabled: false,
  breakawayStructureEnabled: false,
  internalSupportsEnabled: false,
  touchpointSizeMm: 0.5,
  raftThicknessMm: 2,
  heightAboveRaftMm: 5,
  zCompressionCorrectionMm: 0,
  earlyLayerMergeMm: 0,
  selfSupportingAngleDeg: 45,
  bridgingDistanceMm: 5,
};
