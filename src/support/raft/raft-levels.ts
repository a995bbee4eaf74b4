import type { SupportSettings } from "../settings.ts";
import { raftForm } from "./raft-form.ts";

/** At this height the rim of a raft's plate stands so far outside of where it meets the platform. */
export interface RaftLevel {
  readonly zMm: number;
  readonly outMm: number;
}

/**
 * The rim of a raft's plate from the platform up. It stands upright as far as early layers are merged and z is compressed,
 * then leans outward by 45° (which prints), and ends upright where the plate is thicker than that. Without a raft, what the
 * flares of pillars stand on; empty where that has no height.
 */
export function raftLevels(settings: SupportSettings): readonly RaftLevel[] {
  const { thicknessMm, bevelMm } = raftForm(settings);
  const { earlyLayerMergeMm, zCompressionCorrectionMm } = settings;
  const merged = Math.max(earlyLayerMergeMm, zCompressionCorrectionMm);
  const top = thicknessMm === 0 ? merged : thicknessMm + zCompressionCorrectionMm;
  const upright = Math.min(merged, top);
  const lean = Math.min(bevelMm, top - upright);
  const levels = [
    { zMm: 0, outMm: 0 },
    { zMm: upright, outMm: 0 },
    { zMm: upright + lean, outMm: lean },
    { zMm: top, outMm: lean },
  ];
  // Of levels in one place the last is that of all.
  return top > 0 ? levels.filter(({ zMm }, i) => zMm < (levels[i + 1]?.zMm ?? Infinity)) : [];
}
