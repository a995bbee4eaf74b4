import { operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { type Box, boxCentre } from "../../geometry/box.ts";
import { IDENTITY_POSE } from "../../geometry/pose.ts";
import { stlBytes, stlWriter } from "../../format/stl-writer.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import { concatenateSurfaces, triangleCount } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { uniteSolids } from "../../repair/unite-solids.ts";
import { placedSolidSurface } from "../../slice/overhang/overhangs.ts";

export interface ClosedModelRequest {
  readonly part: PlacedMesh;
  readonly supports: PlacedMesh | undefined;
}

export interface ClosedModel {
  /** A binary STL file, in scene coordinates in mm. */
  readonly stl: Uint8Array<ArrayBuffer>;
  /** The box of the mesh in that file. */
  readonly box: Box;
}

/** Progress at which the solids are placed, are united, and are a canonical mesh. Estimates. */
const SHARES = { placed: 0.2, united: 0.8, canonical: 0.9 };

/**
 * The solid that is printed of a part, united with its supports, as one mesh. Where they cannot be united, for example because the part
 * has gaps that no repair closes, both are in the mesh unchanged.
 */
export async function closedModel({ part, supports }: ClosedModelRequest, progress: Progress): Promise<ClosedModel> {
  const { placed, united, canonical } = SHARES;
  const solid = placedSolidSurface(part, progress.part(0, placed));
  const both = supports && concatenateSurfaces([solid, placedSolidSurface(supports, progress.part(0, placed))]);
  const surface = both ? ((await uniteSolids(both, progress.part(placed, united))) ?? both) : solid;
  const mesh = canonicalMesh(surface, 1, progress.part(united, canonical));
  // The origin of a model is the centre of its box.
  const pose = { ...IDENTITY_POSE, position: boxCentre(mesh.box) };
  const body = { name: "", kind: "part", mesh, pose } as const;
  const stl = new Uint8Array(stlBytes(triangleCount(mesh)));
  let at = 0;
  for (const chunk of stlWriter.chunks([body], operationFailed, progress.part(canonical, 1))) {
    stl.set(chunk, at);
    at += chunk.length;
  }
  return { stl, box: mesh.box };
}
