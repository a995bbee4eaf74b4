import type { Vec3 } from "../../geometry/vector.ts";
import type { PageModel } from "../../ui/replies.ts";
import type { SupportArea, SupportDraft, SupportPoint } from "../action/support-edits.ts";
import type { Xyz } from "../action/surface-place.ts";
import { post } from "../server/call.ts";

/** The points and areas of a part as the server has them. */
export interface PresentSupports {
  readonly sceneId: string;
  readonly modelId: string;
  /** State of the server on which edits are based. */
  readonly hash: string;
  readonly base: SupportDraft;
  /** The part when that state was read. */
  readonly part: PageModel;
  /** `touchpoint_size_mm` of its supports. */
  readonly usualMm: number;
}

interface SupportsReply {
  readonly hash: string;
  readonly settings: { readonly touchpoint_size_mm?: number };
  readonly points: readonly {
    readonly index: number;
    readonly position: Xyz;
    readonly normal: Xyz;
    readonly size_mm: number;
    readonly cause: SupportPoint["cause"];
    readonly origin: "AUTOMATIC" | "MANUAL";
    readonly locked: boolean;
    readonly resting: boolean;
  }[];
  readonly areas: readonly SupportArea[];
}

/** Reads the support points and areas of a part, on which edits are based. */
export async function readSupports(sceneId: string, part: PageModel): Promise<PresentSupports> {
  const body = { scene_id: sceneId, model_id: part.id };
  const reply = await post<SupportsReply>("/v1/scene/model/supports/get/", body);
  const vec = ({ x, y, z }: Xyz): Vec3 => [x, y, z];
  const points = reply.points.map(
    ({ index, position, normal, size_mm, cause, origin, locked, resting }): SupportPoint => ({
      key: index,
      position: vec(position),
      normal: vec(normal),
      sizeMm: size_mm,
      cause,
      isByHand: origin === "MANUAL",
      isLocked: locked,
      isResting: resting,
    }),
  );
  const { hash, areas, settings } = reply;
  return {
    sceneId,
    modelId: part.id,
    part,
    hash,
    usualMm: settings.touchpoint_size_mm ?? 0.5,
    base: { points, areas },
  };
}
