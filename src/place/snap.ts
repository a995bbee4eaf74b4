import type { Outline } from "../mesh/outline.ts";
import type { Pose } from "../mesh/pose.ts";

/** The pose lowered or raised until the model's lowest point stands at z = 0 exactly. */
export function snapToPlatform({ box }: Outline, pose: Pose): Pose {
  const [x, y] = pose.position;
  return { ...pose, position: [x, y, 0 - pose.scale * box.min[2]] };
}
