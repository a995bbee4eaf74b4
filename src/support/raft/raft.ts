import { filled } from "../../mesh/boolean/region/filled.ts";
import { grown } from "../../mesh/boolean/region/grown.ts";
import { loft } from "../../mesh/boolean/region/loft.ts";
import { type Ring, signedArea } from "../../mesh/boolean/region/region.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { labelOnRaft } from "./label/label-on-raft.ts";
import { raftForm } from "./raft-form.ts";
import { raftLevels } from "./raft-levels.ts";
import { type RaftGround, raftOutline } from "./raft-outline.ts";

/**
 * The closed bodies that a raft is united of: its plates and the label. None where no pillar stands on the ground; of
 * pillars on the bare platform only what joins their flares.
 */
export async function raftBodies(ground: RaftGround, label: string): Promise<readonly Surface[]> {
  const levels = raftLevels(ground.settings);
  const top = levels.at(-1);
  if (ground.feet.length === 0 || !top) return [];
  const covered = await raftOutline(ground);
  const joined = raftForm(ground.settings).thicknessMm === 0 ? covered.filter(isMoreThanOneOf(ground)) : covered;
  if (joined.length === 0) return [];
  const { outline, letters } = await labelOnRaft(joined, top.zMm, ground, label);
  const widened = top.outMm > 0 ? await filled(await grown(outline, top.outMm)) : outline;
  const plate = await loft(levels.map(({ zMm, outMm }) => ({ zMm, region: outMm > 0 ? widened : outline })));
  return [plate, ...letters];
}

/** Whether a ring goes around more than the largest flare. */
function isMoreThanOneOf({ feet, settings }: RaftGround): (ring: Ring) => boolean {
  const radius = feet.reduce((most, foot) => Math.max(most, foot.radius), 0) + raftForm(settings).marginMm;
  return (ring) => signedArea(ring) > Math.PI * radius * radius;
}
