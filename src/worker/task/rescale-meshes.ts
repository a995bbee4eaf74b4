import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { rescale } from "../../mesh/rescale.ts";

export interface RescaleRequest {
  readonly mesh: Mesh;
  readonly factor: number;
}

/** Each raw mesh times its factor, in the order given. */
export function rescaleMeshes(requests: readonly RescaleRequest[], watch: Watch): Mesh[] {
  return requests.map(({ mesh, factor }, i) =>
    rescale(mesh, factor, watch.part(i / requests.length, (i + 1) / requests.length)),
  );
}
