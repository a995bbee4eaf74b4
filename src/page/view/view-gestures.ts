import { isLift } from "./changes.ts";
import type { EditGestures } from "./edit-gestures.ts";
import { type Drag, type GestureEvents, type HeldKeys, NO_KEYS, type PlaceTool } from "./gestures.ts";
import { nudgeOf } from "./nudges.ts";
import type { OrbitControl } from "./orbit-control.ts";
import type { Pixel } from "./orbit.ts";
import type { BodyHit } from "./picks.ts";
import type { DrawnScene } from "./drawn-scene.ts";
import { clickedSelection, rectangleDrag } from "./select-gestures.ts";
import type { SectionHandle } from "./section-handle.ts";
import type { ShownBodies } from "./shown-bodies.ts";
import { type ShownState, areModelsGrounded } from "./shown-state.ts";
import type { ViewEvents } from "./view.ts";

/** Bodies under the pointer are highlighted only if a full frame takes less, so that the page stays responsive on slow machines. */
const HOVER_FRAME_MS = 80;

/** The parts of a view that gestures use. */
export interface GestureTargets {
  readonly state: ShownState;
  readonly picture: DrawnScene;
  readonly bodies: ShownBodies;
  readonly control: OrbitControl;
  readonly edits: EditGestures;
  readonly section: SectionHandle;
  /** The tool in use, if it acts on places. */
  placeTool(): PlaceTool | undefined;
  readonly events: ViewEvents;
}

/** Carries out gestures in the view: moves the camera, selects, picks places and edits the selection. */
export class ViewGestures implements GestureEvents {
  readonly #view: GestureTargets;

  constructor(view: GestureTargets) {
    this.#view = view;
  }

  rotate(by: Pixel): void {
    this.#view.control.rotate(by);
  }

  pan(by: Pixel): void {
    this.#view.control.pan(by);
  }

  zoom(factor: number, about: Pixel | undefined): void {
    this.#view.control.zoom(factor, about);
  }

  wheel(factor: number): boolean {
    return this.#view.placeTool()?.wheel?.(factor) ?? false;
  }

  hover(at: Pixel | undefined): void {
    const { state, picture } = this.#view;
    this.#view.placeTool()?.hover(at);
    const isWanted = !state.supportEdit && picture.fullFrameMs < HOVER_FRAME_MS;
    const next = at && isWanted ? this.#bodyAt(at)?.instance.modelId : undefined;
    if (next === state.hovered) return;
    state.hovered = next;
    picture.showBodies();
  }

  click(at: Pixel, keys: HeldKeys): void {
    const { state, events } = this.#view;
    // With Shift, Ctrl or Cmd a click extends the selection.
    const extendsSelection = keys.shiftKey || keys.ctrlKey || keys.metaKey;
    if (this.#isPlaceTool()) this.#actAt(at, keys);
    else events.select(clickedSelection(state.selected, this.#bodyAt(at)?.instance.modelId, extendsSelection));
  }

  doubleClick(at: Pixel): void {
    const hit = this.#isPlaceTool() ? undefined : this.#bodyAt(at);
    if (hit?.instance.role === "support") this.#view.events.editSupports(hit.instance.modelId);
  }

  menu(at: Pixel): void {
    const { state, events, picture } = this.#view;
    if (state.supportEdit) return;
    const modelId = this.#bodyAt(at)?.instance.modelId;
    if (modelId === undefined || !state.selected.has(modelId)) events.select(modelId === undefined ? [] : [modelId]);
    const { left, top } = picture.canvas.element.getBoundingClientRect();
    events.menu({ x: left + at.x, y: top + at.y });
  }

  grab(at: Pixel, keys: HeldKeys, reachPx: number): Drag | undefined {
    this.leave();
    const { edits, picture, section, state } = this.#view;
    const sectionDrag = section.grab(at, reachPx);
    if (sectionDrag) return sectionDrag;
    if (state.supportEdit || state.cut) return this.#view.placeTool()?.grab?.(at, keys, reachPx);
    const { shiftKey: withShift } = keys;
    const drag = this.#view.placeTool()?.grab?.(at, keys, reachPx) ?? edits.grab(at, keys, reachPx);
    if (drag || !withShift || this.#isPlaceTool()) return drag;
    return rectangleDrag(picture.overlay, at, (corners) => this.#selectWithin(corners));
  }

  key(event: KeyboardEvent, isReachedByKeys: boolean): boolean {
    const { state, control, edits } = this.#view;
    const { key } = event;
    if (this.#view.placeTool()?.key?.(event)) return true;
    const nudge = nudgeOf(event, state.tool, state.orbit);
    // Page Up and Page Down change the layer, if one is shown. Models that must stay on the platform are not lifted.
    const isChangingLayer = state.layer !== undefined && key.startsWith("Page");
    if (nudge && !state.supportEdit && !isChangingLayer && !(areModelsGrounded(state) && isLift(nudge)))
      return edits.nudges.add(nudge);
    this.leave();
    if (key === "Home") control.look("home");
    else if (key === "f" || key === "F") control.frame();
    // While points are edited with a pointer, Enter applies the edits.
    else if (key === "Enter" && this.#isPlaceTool() && (isReachedByKeys || !state.supportEdit)) this.#actInMiddle();
    else return false;
    return true;
  }

  /** Ends a series of key presses. */
  leave(): void {
    const { edits, picture } = this.#view;
    edits.nudges.finish();
    picture.overlay.say(undefined);
  }

  #bodyAt(at: Pixel): BodyHit | undefined {
    const { bodies, picture } = this.#view;
    return bodies.at(at, picture.canvas.size());
  }

  #selectWithin(corners: readonly [Pixel, Pixel]): void {
    const { bodies, events, picture, state } = this.#view;
    const within = bodies.within(corners, picture.canvas.size());
    events.select([...state.selected, ...within.filter((id) => !state.selected.has(id))]);
  }

  #isPlaceTool(): boolean {
    return this.#view.placeTool() !== undefined;
  }

  /** Has the tool act on the part at a pixel. Returns whether it did. */
  #actAt(at: Pixel, keys: HeldKeys): boolean {
    return this.#view.placeTool()?.click(at, keys) ?? false;
  }

  #actInMiddle(): void {
    const { canvas, overlay } = this.#view.picture;
    const { width, height } = canvas.size();
    const middle = { x: width / 2, y: height / 2 };
    const isDone = this.#actAt(middle, NO_KEYS);
    const why = this.#view.placeTool()?.refusal?.(middle) ?? "No part here: rotate or move the view";
    overlay.say(isDone ? "Place chosen" : why, middle);
  }
}
