import { type Steps, mapSteps } from "../core/steps.ts";
import { must } from "../core/must.ts";
import { lowerBound } from "../geometry/binary-search.ts";
import { orientationScaleKey, poseKey } from "../geometry/pose.ts";
import { midHeightsMm } from "../slice/layer-heights.ts";
import { layerBoundariesOf } from "./layers.ts";
import { bodyBox } from "./placement.ts";
import type { PlacedBody, Scene } from "./project.ts";

/** A body of which only drawing can show whether it lights pixels. */
export interface FaintBody<Body extends PlacedBody = PlacedBody> {
  readonly body: Body;
  /** No layer is exposed at any height of the body: nothing is drawn. */
  readonly isBetweenLayers: boolean;
  /** Equal for bodies that either all light a pixel or all light none. */
  readonly key: string;
}

/** Bodies in more layers than this reach the width that their slabs state in some layer. */
const MAX_LAYERS = 4;
/** Bodies that are compared with the layers in one step, in a few milliseconds. */
const BODIES_PER_STEP = 512;

/**
 * The bodies of a scene that may light no pixel, in steps: bodies in few or no layers, and bodies that are narrower than a pixel
 * everywhere. Layers are exposed at their middle heights.
 */
export function* faintBodies<Body extends PlacedBody>(bodies: readonly Body[], scene: Scene): Steps<FaintBody<Body>[]> {
  const heightsMm = midHeightsMm(yield* layerBoundariesOf(scene));
  const pixelMm = Math.max(...scene.setting.printerType.raster.pixelMm);
  const faint = (body: Body): FaintBody<Body>[] => {
    const { min, max } = bodyBox(body);
    const layers = lowerBound(heightsMm, max[2]) - lowerBound(heightsMm, min[2]);
    const isNarrow = widestMm(body) < pixelMm;
    if (layers > MAX_LAYERS && !isNarrow) return [];
    const { mesh, pose } = body;
    // A body that is wider than a pixel lights one anywhere on the platform.
    const key = isNarrow ? poseKey(mesh.hash, pose) : `${orientationScaleKey(mesh.hash, pose)} ${min[2]}`;
    return [{ body, isBetweenLayers: layers === 0, key }];
  };
  return (yield* mapSteps(bodies, faint, BODIES_PER_STEP)).flat();
}

/** The width of a body in its stoutest slab, mm: twice the volume over the area of the walls. */
function widestMm({ outline: { slabs }, pose }: PlacedBody): number {
  const { volumesMm3, wallAreasMm2 } = slabs;
  const wallMm2 = (k: number): number => must(wallAreasMm2[k], "The walls of a slab");
  return volumesMm3.reduce((most, mm3, k) => Math.max(most, mm3 > 0 ? (2 * pose.scale * mm3) / wallMm2(k) : 0), 0);
}
