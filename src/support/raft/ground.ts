import type { SupportSettings } from "../settings.ts";
import { raftForm } from "./raft-form.ts";

/** The height at which pillars end: the top of their raft, or the platform raised by what the first layers lose. */
export const groundMm = (settings: SupportSettings): number =>
  raftForm(settings).thicknessMm + settings.zCompressionCorrectionMm;

/** How high the lowest point of a model stands on its supports. */
export const liftMm = (settings: SupportSettings): number => groundMm(settings) + settings.heightAboveRaftMm;
