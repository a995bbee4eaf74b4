import type { Direction } from "./camera.ts";

/**
 * `count` directions from the first keyframe to the last, evenly over the path: each way from one keyframe to the next
 * takes as long as any other. Angles run straight through the numbers given, so yaw 0 to 360 is a whole turn.
 */
export const flightThrough = (keyframes: readonly Direction[], count: number): Direction[] =>
  Array.from({ length: count }, (_, i) => {
    const along = (i * (keyframes.length - 1)) / (count - 1);
    const from = Math.min(Math.floor(along), keyframes.length - 2);
    const share = along - from;
    const between = (key: keyof Direction): number =>
      keyframes[from][key] * (1 - share) + keyframes[from + 1][key] * share;
    return { yawDeg: between("yawDeg"), pitchDeg: between("pitchDeg") };
  });
