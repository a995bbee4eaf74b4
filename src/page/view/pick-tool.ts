import type { DrawnScene } from "./drawn-scene.ts";
import type { SurfaceProbe } from "./edge-gap.ts";
import type { PlaceTool } from "./gestures.ts";
import { type Pixel, projected } from "./orbit.ts";
import type { OverlayLine } from "./overlay.ts";
import type { ShownBodies } from "./shown-bodies.ts";
import type { ShownState } from "./shown-state.ts";
import { refusalAt, toolBodyLines } from "./tool-body.ts";
import type { SurfacePick, ToolBody, ViewEvents } from "./view.ts";

/** A place under the pointer. */
interface FoundPlace {
  readonly pick: SurfacePick;
  readonly probe: SurfaceProbe;
  /** Why a click there is refused. */
  readonly refusal: string | undefined;
}

/** Reports clicked places on the surfaces of parts. What would be made there is drawn at the pointer, and a refusal is told before the click. */
export class PickTool implements PlaceTool {
  readonly #state: ShownState;
  readonly #picture: DrawnScene;
  readonly #bodies: ShownBodies;
  readonly #events: Pick<ViewEvents, "pick" | "hoverPlace">;
  #body: ToolBody | undefined;
  #at: Pixel | undefined;
  #found: FoundPlace | undefined;
  #words: string | undefined;

  constructor(
    state: ShownState,
    picture: DrawnScene,
    bodies: ShownBodies,
    events: Pick<ViewEvents, "pick" | "hoverPlace">,
  ) {
    this.#state = state;
    this.#picture = picture;
    this.#bodies = bodies;
    this.#events = events;
  }

  setBody(body: ToolBody | undefined): void {
    this.#body = body;
    this.hover(this.#at);
  }

  /** Says more about the place under the pointer. */
  say(words: string | undefined): void {
    this.#words = words;
    if (this.#at) this.#speak();
  }

  hover(at: Pixel | undefined): void {
    const had = this.#found !== undefined;
    this.#at = at;
    this.#found = at && this.#placeAt(at);
    if (!this.#found && !had) return;
    this.#events.hoverPlace(this.#found?.refusal === undefined ? this.#found?.pick : undefined);
    this.#speak();
    this.#picture.showLines();
  }

  click(at: Pixel): boolean {
    const found = this.#placeAt(at);
    if (!found || found.refusal !== undefined) return false;
    this.#events.pick(found.pick);
    return true;
  }

  refusal(at: Pixel): string | undefined {
    return this.#placeAt(at)?.refusal;
  }

  lines(): readonly OverlayLine[] {
    if (!this.#found || !this.#body) return [];
    const size = this.#picture.canvas.size();
    const { pick, probe, refusal } = this.#found;
    const lines = toolBodyLines(this.#body, pick, probe);
    // The rest would cover the change itself where that is shown.
    return (this.#state.trial ? lines.slice(0, 1) : lines).map((line) => ({
      points: line.map((point) => projected(this.#state.orbit, point, size)),
      style: refusal === undefined ? "tool" : "refused",
    }));
  }

  #placeAt(at: Pixel): FoundPlace | undefined {
    const hit = this.#bodies.surfaceAt(at, this.#picture.canvas.size());
    const model = this.#state.scene?.models.find(({ id }) => id === hit?.instance.modelId);
    if (!hit || !model || hit.instance.role === "support") return undefined;
    const pick = { modelId: model.id, point: hit.point, normal: hit.normal };
    const probe = this.#bodies.probe(model.id, model.mesh);
    return { pick, probe, refusal: this.#body && refusalAt(this.#body, pick, probe) };
  }

  #speak(): void {
    this.#picture.overlay.say(this.#found && (this.#found.refusal ?? this.#words), this.#at);
  }
}
