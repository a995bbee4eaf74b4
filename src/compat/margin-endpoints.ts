import * as v from "valibot";
import {
  autoLayout,
  checkBounds,
  fillBuildPlatform,
  fillScenePlatform,
  fillPlatformBody,
  filledReply,
  laidOutReply,
  layOutModels,
  layoutBody,
} from "../feature/layout/endpoint.ts";
import {
  autoPack,
  fillBuildChamber,
  fillSceneChamber,
  fillChamberBody,
  packBody,
  packModels,
} from "../feature/pack/endpoint.ts";
import { changesScene } from "../api/endpoint.ts";
import { coordinateMm } from "../api/schema.ts";

// Endpoints of `/v1/` with the additional distances that newer versions of 0.9 have.

const distanceMm = v.optional(v.pipe(coordinateMm, v.minValue(0)));

const asOf = ({ path }: { readonly path: string }) => ({ method: "POST", path, summary: "", async: true }) as const;

/** `placement_margin_mm` is the smallest distance from the sides of the platform. */
export const layOutWithMargin = changesScene(
  {
    ...asOf(autoLayout),
    body: v.strictObject({ ...layoutBody.entries, placement_margin_mm: distanceMm }),
    reply: laidOutReply,
    check: checkBounds,
  },
  (scene, body, context) => layOutModels(scene, body, context, body.placement_margin_mm),
);

export const fillPlatformWithMargin = changesScene(
  {
    ...asOf(fillBuildPlatform),
    body: v.strictObject({ ...fillPlatformBody.entries, placement_margin_mm: distanceMm }),
    reply: filledReply,
  },
  (scene, body, context) => fillScenePlatform(scene, body, context, body.placement_margin_mm),
);

export const packFromWalls = changesScene(
  {
    ...asOf(autoPack),
    body: v.strictObject({
      ...packBody.entries,
      distance_from_wall_mm: distanceMm,
    }),
    reply: laidOutReply,
  },
  (scene, body, context) => packModels(scene, body, context, { wallDistanceMm: body.distance_from_wall_mm }),
);

export const fillChamberFromWalls = changesScene(
  {
    ...asOf(fillBuildChamber),
    body: v.strictObject({ ...fillChamberBody.entries, distance_from_wall_mm: distanceMm }),
    reply: filledReply,
  },
  (scene, body, context) => fillSceneChamber(scene, body, context, body.distance_from_wall_mm),
);
