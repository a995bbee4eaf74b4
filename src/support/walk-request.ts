import type { Progress } from "../core/progress.ts";
import type { PartLayers } from "../hold/part-sections.ts";
import { type PartFaces, partFaces } from "./points/part-faces.ts";
import { toScene } from "./points/touchpoint-space.ts";
import { type WalkRequest, type WalkedPart, walkPart } from "./points/walk-part.ts";
import { type SupportRequest, layerBoundaries } from "./support-request.ts";
import { lifted } from "./lifted.ts";

/** A request with the layers of its model. */
export interface LayeredRequest {
  readonly request: SupportRequest;
  readonly layers: PartLayers;
}

/** A request with the layers and the faces of its model. */
export interface FacedRequest extends LayeredRequest {
  readonly faces: PartFaces;
}

/** The faces of the model of a request. */
export const supportFaces = ({ request, layers: { surface } }: LayeredRequest, progress: Progress): PartFaces =>
  partFaces({ ...walkOf(request), surface }, progress);

/** The walk through the layers of the model of a request. As the layers, it does not depend on the place of the model. */
export function walkSupports({ request, ...known }: FacedRequest, progress: Progress): WalkedPart {
  return walkPart({ ...walkOf(request), ...known }, progress);
}

/** What a walk needs of a request. */
function walkOf(request: SupportRequest): WalkRequest {
  const { settings, areas, kept = [] } = request;
  const placed = lifted(request);
  const boundariesMm = layerBoundaries(placed, request);
  return { placed, boundariesMm, settings, areas, kept: kept.map((point) => toScene(point, placed)) };
}
