import type { Vec3 } from "../../geometry/vector.ts";
import type { PageFace } from "../../ui/replies.ts";
import type { DrawnScene } from "./drawn-scene.ts";
import type { PlaceTool } from "./gestures.ts";
import { type FlatFace, faceOnRay, placedFace, turnDown } from "./flat-faces.ts";
import { type Pixel, projected, rayThrough } from "./orbit.ts";
import type { OverlayLine } from "./overlay.ts";
import type { ShownBodies } from "./shown-bodies.ts";
import type { ShownState } from "./shown-state.ts";
import type { ShownModel, ViewEvents } from "./view.ts";

/** Turns a part so that the clicked face is on the platform. Flat faces of its convex hull light up; elsewhere a click takes the facet. */
export class FaceDown implements PlaceTool {
  readonly #state: ShownState;
  readonly #picture: DrawnScene;
  readonly #bodies: ShownBodies;
  readonly #events: Pick<ViewEvents, "rotate">;
  /** Faces by the hash of the mesh; absent while they are fetched. */
  readonly #faces = new Map<string, readonly PageFace[]>();
  readonly #fetched = new Set<string>();
  #at: Pixel | undefined;
  #lit: FlatFace | undefined;

  constructor(state: ShownState, picture: DrawnScene, bodies: ShownBodies, events: Pick<ViewEvents, "rotate">) {
    this.#state = state;
    this.#picture = picture;
    this.#bodies = bodies;
    this.#events = events;
  }

  hover(at: Pixel | undefined): void {
    this.#at = at;
    const lit = at && this.#target(at)?.face;
    const { overlay } = this.#picture;
    overlay.say(lit && `${areaText(lit.areaMm2)} mm²`, at);
    if (lit === this.#lit) return;
    this.#lit = lit;
    this.#picture.showLines();
  }

  click(at: Pixel): boolean {
    const target = this.#target(at);
    if (!target) return false;
    this.hover(undefined);
    this.#events.rotate([target.model.id], turnDown(target.face?.normal ?? target.facetNormal));
    return true;
  }

  lines(): readonly OverlayLine[] {
    const size = this.#picture.canvas.size();
    const [first, ...others] = (this.#lit?.rim ?? []).map((corner) => projected(this.#state.orbit, corner, size));
    return first ? [{ points: [first, ...others, first], style: "face" }] : [];
  }

  #target(at: Pixel): { model: ShownModel; face: FlatFace | undefined; facetNormal: Vec3 } | undefined {
    const size = this.#picture.canvas.size();
    const hit = this.#bodies.surfaceAt(at, size);
    const model = this.#state.scene?.models.find(({ id }) => id === hit?.instance.modelId);
    if (!hit || !model || hit.instance.role !== "part") return undefined;
    // Facets of a simplified mesh have other directions.
    if (!this.#picture.meshes.exact(model.mesh)) return undefined;
    const face = faceOnRay(this.#facesOf(model), rayThrough(this.#state.orbit, at, size));
    return { model, face, facetNormal: hit.normal };
  }

  #facesOf(model: ShownModel): readonly FlatFace[] {
    const faces = this.#faces.get(model.mesh);
    if (!faces) void this.#fetch(model.mesh);
    return (faces ?? []).map((face) => placedFace(face, model.matrix));
  }

  async #fetch(hash: string): Promise<void> {
    if (this.#fetched.has(hash)) return;
    this.#fetched.add(hash);
    try {
      const answer = await fetch(`/ui/mesh/${encodeURIComponent(hash)}/faces/`);
      if (!answer.ok) return;
      this.#faces.set(hash, await answer.json());
      if (this.#at) this.hover(this.#at);
    } catch {
      // The next hover tries again; until then clicks take facets.
      this.#fetched.delete(hash);
    }
  }
}

const areaText = (mm2: number): string => (mm2 < 100 ? mm2.toFixed(1) : Math.round(mm2).toLocaleString("en"));
