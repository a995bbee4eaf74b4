import type { Surface } from "../../mesh/mesh.ts";
import type { SupportTree } from "../tree/support-tree.ts";
import { type PillarFoot, type RaftRequest, raftForm, raftProfile } from "./raft-form.ts";
import { buildRaft } from "./raft.ts";
import { flareBody } from "./strut-body.ts";

/** The closed bodies on which the pillars of a tree stand. */
export interface SolidBase {
  /** The plates and the letters of the raft. */
  readonly raft: readonly Surface[];
  /** The feet of pillars without raft. */
  readonly flares: readonly Surface[];
  /** Whether the raft has no room for the area that it needs. */
  readonly isLoose: boolean;
}

/** Flares end this far inside the rim of the base they share: coinciding walls would intersect at random. */
const INSIDE_BASE_MM = 0.02;

/** What the solid of supports is made of. It is clipped to the footprint of the volume. */
export interface SupportSolidRequest extends Omit<RaftRequest, "feet"> {
  readonly tree: SupportTree;
  /** Text of the raft's label. */
  readonly label: string;
}

/** The base of a tree. `turn`: angle of the corners of flares, radians. */
export async function solidBase(request: SupportSolidRequest, turn: number): Promise<SolidBase> {
  const { tree, settings, label } = request;
  const feet = groundFeet(tree);
  const { bodies: raft, widenMm, isLoose } = await buildRaft({ ...request, feet }, label);
  const { thicknessMm, marginMm } = raftForm(settings);
  if (thicknessMm > 0) return { raft, flares: [], isLoose };
  const baseMm = raftProfile(settings).at(-1)?.zMm ?? 0;
  const wideMm = marginMm + widenMm;
  const flareMm = baseMm > 0 ? wideMm - INSIDE_BASE_MM : wideMm;
  return { raft, flares: feet.map((foot) => flareBody(foot, flareMm, baseMm, turn)), isLoose };
}

const groundFeet = ({ nodes, feet }: SupportTree): readonly PillarFoot[] =>
  feet
    .filter(({ on }) => on === "GROUND")
    .map(({ node }) => ({ x: nodes[4 * node], y: nodes[4 * node + 1], radius: nodes[4 * node + 3] }));
