import type { Box } from "../../geometry/box.ts";
import { transformedBox } from "./instances.ts";
import type { MeshStore } from "./mesh-store.ts";
import { type Pixel, type PictureSize, type Ray, boxCorners, projected, rayThrough } from "./orbit.ts";
import { type BodyHit, hitInstance, modelsWithin, pickBody, type Pickable } from "./picks.ts";
import type { SurfaceProbe } from "./edge-gap.ts";
import { type ShownState, cutsOf } from "./shown-state.ts";
import type { PictureArea } from "./view.ts";
import { visiblePointsWithin } from "./visible-points.ts";

/** Finds the shown bodies whose meshes are loaded. */
export class ShownBodies {
  readonly #state: ShownState;
  readonly #meshes: MeshStore;

  constructor(state: ShownState, meshes: MeshStore) {
    this.#state = state;
    this.#meshes = meshes;
  }

  /** Returns the first body under a pixel. */
  at(pixel: Pixel, size: PictureSize): BodyHit | undefined {
    return pickBody(rayThrough(this.#state.orbit, pixel, size), this.#pickable());
  }

  /** Returns a function that finds where rays meet one body, as multiples of their directions from their origins. */
  probe(modelId: string, mesh: string): SurfaceProbe {
    const packed = this.#meshes.get(mesh);
    const instance = this.#state.instances.get(mesh)?.find((one) => one.modelId === modelId);
    return (ray, range) => packed && instance && hitInstance(ray, instance, packed, range);
  }

  /** Returns the first body on a ray. */
  on(ray: Ray): BodyHit | undefined {
    return pickBody(ray, this.#pickable());
  }

  /** Returns the first body under a pixel, if its surface is there: not where a section shows its inside. */
  surfaceAt(pixel: Pixel, size: PictureSize): BodyHit | undefined {
    const hit = this.at(pixel, size);
    return hit?.isInside ? undefined : hit;
  }

  /** Returns the ids of the models in a rectangle, given by two opposite corners. */
  within(corners: readonly [Pixel, Pixel], size: PictureSize): string[] {
    return modelsWithin(corners, this.#state.orbit, size, this.#pickable());
  }

  /** Returns the keys of the edited support points in a rectangle that no part hides, or the feet of whose tips none hides. */
  visiblePoints(corners: readonly [Pixel, Pixel], size: PictureSize): number[] {
    const { instances, orbit, supportEdit } = this.#state;
    const bodies = { ...this.#pickable(), instances };
    const { points = [], draftStruts: struts = [] } = supportEdit ?? {};
    return visiblePointsWithin(corners, points, { orbit, size, bodies, struts });
  }

  /** Returns the bounding boxes of all bodies of some models. */
  boxes(isWanted: (modelId: string) => boolean): Box[] {
    return [...this.#state.instances].flatMap(([hash, instances]) => {
      const mesh = this.#meshes.get(hash);
      if (!mesh) return [];
      const wanted = instances.filter(({ modelId }) => isWanted(modelId));
      return wanted.map(({ matrix }) => transformedBox(matrix, mesh.box));
    });
  }

  /** Returns the rectangle that the bodies of some models occupy in a picture; undefined if none of them is loaded. */
  area(isWanted: (modelId: string) => boolean, picture: PictureSize): PictureArea | undefined {
    const corners = this.boxes(isWanted).flatMap(boxCorners);
    return areaOf(
      corners.map((corner) => projected(this.#state.orbit, corner, picture)),
      picture,
    );
  }

  /** Returns the box of a mesh in its own coordinates; undefined if it is not loaded. */
  meshBox(hash: string): Box | undefined {
    return this.#meshes.get(hash)?.box;
  }

  #pickable(): Pickable {
    const mesh = (hash: string) => this.#meshes.get(hash);
    return { instances: this.#hittable(), mesh, cuts: cutsOf(this.#state) };
  }

  /** While supports are edited, only their part can be hit. */
  #hittable(): Pickable["instances"] {
    const { instances, scene, supportEdit } = this.#state;
    const model = supportEdit && scene?.models.find(({ id }) => id === supportEdit.modelId);
    if (!model) return instances;
    const own = instances.get(model.mesh) ?? [];
    return new Map([[model.mesh, own.filter(({ modelId, role }) => modelId === model.id && role !== "support")]]);
  }
}

/** The rectangle around pixels of a picture; undefined without any. */
export function areaOf(pixels: readonly Pixel[], picture: PictureSize): PictureArea | undefined {
  const [first] = pixels;
  if (!first) return undefined;
  let [left, top, right, bottom] = [first.x, first.y, first.x, first.y];
  for (const { x, y } of pixels) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return { left, top, width: right - left, height: bottom - top, picture };
}
