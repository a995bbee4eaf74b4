import * as v from "valibot";
import type { Mesh } from "../../mesh/mesh.ts";
import type { Hollowed } from "../../solid/hollowed.ts";
import { finite, fromPosition, meshHash, position, toPosition } from "./manifest-values.ts";

const lengthMm = v.pipe(finite, v.gtValue(0));

/** What a model was hollowed from, in the manifest. */
export const HollowedSchema = v.object({
  solid: meshHash,
  holes: v.array(
    v.object({
      position,
      direction: position,
      diameter_mm: lengthMm,
      depth_mm: v.union([lengthMm, v.literal("AUTO")]),
      outset_mm: v.pipe(finite, v.minValue(0)),
      search_mm: v.optional(lengthMm),
    }),
  ),
});

export type ManifestHollowed = v.InferOutput<typeof HollowedSchema>;

export const toManifestHollowed = ({ solid, holes }: Hollowed): ManifestHollowed => ({
  solid: solid.hash,
  holes: holes.map(({ position, direction, diameterMm, depthMm, outsetMm, searchMm }) => ({
    position: toPosition(position),
    direction: toPosition(direction),
    diameter_mm: diameterMm,
    depth_mm: depthMm,
    outset_mm: outsetMm,
    search_mm: searchMm,
  })),
});

export const fromManifestHollowed = (
  { solid, holes }: ManifestHollowed,
  meshes: ReadonlyMap<string, Mesh>,
): Hollowed => ({
  solid: meshes.get(solid)!,
  holes: holes.map(({ position, direction, diameter_mm, depth_mm, outset_mm, search_mm }) => ({
    position: fromPosition(position),
    direction: fromPosition(direction),
    diameterMm: diameter_mm,
    depthMm: depth_mm,
    outsetMm: outset_mm,
    searchMm: search_mm,
  })),
});
