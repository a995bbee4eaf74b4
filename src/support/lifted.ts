import { liftMm } from "../hold/support-lift.ts";
import type { Outline } from "../mesh/outline.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import type { SupportSettings } from "./support-settings.ts";

/** A model that is to be supported. */
interface LiftedModel {
  readonly placed: PlacedMesh;
  readonly outline: Outline;
  readonly settings: SupportSettings;
}

/** The model with its lowest point at the height that its supports give it. */
export function lifted({ placed: { mesh, pose }, outline, settings }: LiftedModel): PlacedMesh {
  const [x, y] = pose.position;
  return { mesh, pose: { ...pose, position: [x, y, liftMm(settings) - pose.scale * outline.box.min[2]] } };
}
