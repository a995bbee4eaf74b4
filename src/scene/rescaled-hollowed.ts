import { times } from "../core/geometry.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Hollowed } from "../solid/hollowed.ts";

/** What a model was hollowed from, for a raw mesh that has grown by `factor`; `solid` has grown already. */
export const rescaledHollowed = ({ holes }: Hollowed, solid: Mesh, factor: number): Hollowed => ({
  solid,
  holes: holes.map((hole) => ({
    ...hole,
    position: times(hole.position, factor),
    diameterMm: hole.diameterMm * factor,
    depthMm: hole.depthMm === "AUTO" ? "AUTO" : hole.depthMm * factor,
    outsetMm: hole.outsetMm * factor,
    searchMm: hole.searchMm && hole.searchMm * factor,
  })),
});
