import type { BuildVolume } from "../../core/geometry.ts";
import { rimOf } from "../../core/geometry.ts";
import { clipped } from "../../mesh/boolean/region/clipped.ts";
import { filled } from "../../mesh/boolean/region/filled.ts";
import { grown } from "../../mesh/boolean/region/grown.ts";
import type { Region } from "../../mesh/boolean/region/region.ts";
import type { SupportSettings } from "../settings.ts";
import { bridges } from "./bridges.ts";
import { disc } from "./disc.ts";
import type { StandingFoot } from "./foot.ts";
import { raftForm } from "./raft-form.ts";
import { raftLevels } from "./raft-levels.ts";

/** A model that stands lower is carried by the raft itself, which then lies under all of it. */
const RESTS_BELOW_MM = 0.5;
/** Corners where the volume's rim cuts the raft get this radius. */
const CUT_RADIUS_MM = 0.5;
const RIM_PIECES = 16;

export interface RaftGround {
  readonly feet: readonly StandingFoot[];
  readonly settings: SupportSettings;
  /** x, y of the hull of the model's silhouette. */
  readonly footprint: Float64Array;
  readonly room?: { readonly volume: BuildVolume };
}

/**
 * What a raft covers of the platform, before its rim leans outward: room for that is kept before the rim of the volume.
 * It has no openings: between platform and film they would seal resin in.
 */
export async function raftOutline(ground: RaftGround): Promise<Region> {
  const { feet, settings, footprint } = ground;
  const { marginMm, joinMm, isOnePiece } = raftForm(settings);
  const join = Math.max(joinMm, settings.earlyLayerMergeMm);
  const grounds = feet.map(({ x, y, radius }) => ({ x, y, radius: radius + marginMm }));
  const bars = bridges(grounds, isOnePiece ? Infinity : 2 * join);
  const rests = isOnePiece && settings.heightAboveRaftMm < RESTS_BELOW_MM;
  const parts = await filled([...grounds.map(disc), ...bars, ...(rests ? [footprint] : [])]);
  // A cleft that lean rims would close above must be none below, or its roof would hang free.
  const cleft = Math.max(join, leanMm(settings));
  const closed = cleft > 0 ? await filled(await grown(parts, cleft, -cleft)) : parts;
  const room = await roomFor(ground);
  return room ? await grown(await clipped(closed, room), -CUT_RADIUS_MM, CUT_RADIUS_MM) : closed;
}

/** Where a raft may meet the platform; undefined where it lies free. */
export async function roomFor({ room, settings }: RaftGround): Promise<Region | undefined> {
  return room && (await grown([Float64Array.from(rimOf(room.volume, RIM_PIECES).flat())], -leanMm(settings)));
}

/** How far the rim leans outward on its way up. */
const leanMm = (settings: SupportSettings): number => raftLevels(settings).at(-1)?.outMm ?? 0;
