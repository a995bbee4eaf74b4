import { wireMm2, wireVolume } from "./wire-numbers.ts";
import { boxSize } from "../geometry/box.ts";
import { solidVolumeMm3, triangleCount, vertexCount } from "../mesh/mesh.ts";
import { cornerOnWire } from "./on-wire.ts";
import { bodyBox } from "./placement.ts";
import type { Model } from "./project.ts";

/** Size and mesh of a model at its pose, without supports. If the mesh is not closed, the volume is that of the repaired solid. */
export function modelMeasures(model: Model) {
  const { mesh, pose } = model;
  return {
    dimensions_mm: cornerOnWire(boxSize(bodyBox(model))),
    volume_mm3: wireVolume(solidVolumeMm3(mesh) * pose.scale ** 3),
    area_mm2: wireMm2(mesh.areaMm2 * pose.scale ** 2),
    triangle_count: triangleCount(mesh),
    vertex_count: vertexCount(mesh),
  };
}
