import { boxCentre, unionBoxes } from "../../geometry/box.ts";
import { AXIS_INDICES, type Axis, ORIGIN, type Vec3 } from "../../geometry/vector.ts";
import { type ChangeTarget, changeDrag } from "./change-drag.ts";
import {
  type Change,
  changeMatrix,
  facingPlane,
  moveChange,
  rotationRows,
  scaleChange,
  rotateChange,
} from "./changes.ts";
import type { Drag, HeldKeys } from "./gestures.ts";
import { type Handle, handleAt, handlesOf } from "./handles.ts";
import { transformed } from "./instances.ts";
import { type NudgeStart, type Nudges, newNudges } from "./nudges.ts";
import { type Pixel, projected } from "./orbit.ts";
import { AXIS_NAMES } from "./axes.ts";
import type { OverlayLine } from "./overlay.ts";
import type { DrawnScene } from "./drawn-scene.ts";
import type { ShownBodies } from "./shown-bodies.ts";
import { type ShownState, areModelsGrounded } from "./shown-state.ts";
import type { ViewEvents } from "./view.ts";

/** Moves, rotates and scales the selection by its handles and by keys, and moves models that are dragged directly. */
export class EditGestures {
  readonly nudges: Nudges;
  readonly #state: ShownState;
  readonly #picture: DrawnScene;
  readonly #bodies: ShownBodies;
  readonly #events: ViewEvents;

  constructor(state: ShownState, picture: DrawnScene, bodies: ShownBodies, events: ViewEvents) {
    this.#state = state;
    this.#picture = picture;
    this.#bodies = bodies;
    this.#events = events;
    this.nudges = newNudges(picture.overlay, () => this.#nudgeStart());
  }

  /** Returns the lines of the handles. */
  lines(): readonly OverlayLine[] {
    return this.#handles().map(({ axis, points }) => ({
      points,
      style: axis === undefined ? "all" : AXIS_NAMES[axis],
    }));
  }

  /** Returns the handles of the tool at the selection; none during a change. */
  #handles(): readonly Handle[] {
    const { tool, preview, orbit } = this.#state;
    if (tool === "select" || tool === "pick" || preview.size > 0) return [];
    const pivot = this.#pivot();
    if (!pivot) return [];
    const freeAxes = areModelsGrounded(this.#state) ? ([0, 1] as const) : AXIS_INDICES;
    return handlesOf(tool, pivot, freeAxes, orbit, this.#picture.canvas.size());
  }

  /**
   * Starts a drag of a handle, of a selected model unless Shift is pressed, or of any model with the tool "move"; undefined if there is
   * none at this pixel. A model moves on the platform; in a chamber it moves in the plane that faces the viewer, or with Alt up and down.
   */
  grab(from: Pixel, keys: HeldKeys, reachPx: number): Drag | undefined {
    const handle = handleAt(this.#handles(), from, reachPx);
    const { tool, selected } = this.#state;
    const dragged = handle ? undefined : this.#draggedAt(from, keys.shiftKey);
    if (!handle && dragged === undefined) return undefined;
    if (dragged !== undefined && !selected.has(dragged)) this.#events.select([dragged]);
    const ids = dragged === undefined || selected.has(dragged) ? selected : new Set([dragged]);
    const pivot = this.#pivot() ?? ORIGIN;
    const axis = handle?.axis;
    const plane = this.#dragAxes(keys);
    const changeTo = (to: Pixel, snaps: boolean): Change => {
      const stroke = { from, to, orbit: this.#state.orbit, size: this.#picture.canvas.size() };
      if (dragged !== undefined) return moveChange(stroke, plane, snaps);
      if (axis === undefined) return scaleChange(stroke, pivot);
      return tool === "rotate" ? rotateChange(stroke, axis, pivot) : moveChange(stroke, [axis], snaps);
    };
    return changeDrag(this.#picture.overlay, changeTo, this.#targetOf(ids));
  }

  /** Axes along which a dragged model moves. */
  #dragAxes({ altKey }: HeldKeys): readonly Axis[] {
    if (areModelsGrounded(this.#state)) return [0, 1];
    return altKey ? [2] : facingPlane(this.#state.orbit);
  }

  /** Centre of the selection's bounding box; undefined if nothing is selected or loaded. */
  #pivot(): Vec3 | undefined {
    const boxes = this.#bodies.boxes((id) => this.#state.selected.has(id));
    return boxes.length === 0 ? undefined : boxCentre(boxes.reduce(unionBoxes));
  }

  /** Id of the model that a drag from here moves. */
  #draggedAt(at: Pixel, withShift: boolean): string | undefined {
    const { tool, selected } = this.#state;
    const isAny = tool === "move";
    if (!isAny && (withShift || selected.size === 0)) return undefined;
    const modelId = this.#bodies.at(at, this.#picture.canvas.size())?.instance.modelId;
    return modelId !== undefined && (isAny || selected.has(modelId)) ? modelId : undefined;
  }

  #nudgeStart(): NudgeStart | undefined {
    const pivot = this.#pivot();
    if (!pivot) return undefined;
    const { orbit, selected } = this.#state;
    return { target: this.#targetOf(selected), at: projected(orbit, pivot, this.#picture.canvas.size()) };
  }

  /** Shows changes of these models, and proposes the final one. */
  #targetOf(ids: ReadonlySet<string>): ChangeTarget {
    const centres = this.#centresOf(ids);
    return {
      show: (change) =>
        this.#setPreview(new Map(change && centres.map(([id, centre]) => [id, changeMatrix(change, centre)]))),
      propose: (change) => {
        if (change.kind === "move") this.#events.move([...ids], change.by);
        else if (change.kind === "rotate") this.#events.rotate([...ids], rotationRows(change));
        else this.#events.scale([...ids], change.factor);
      },
    };
  }

  /** Points about which models rotate and scale: the centres of their meshes. */
  #centresOf(ids: ReadonlySet<string>): [id: string, centre: Vec3][] {
    const models = (this.#state.scene?.models ?? []).filter(({ id }) => ids.has(id));
    return models.flatMap(({ id, mesh, matrix }): [string, Vec3][] => {
      const box = this.#bodies.meshBox(mesh);
      return box ? [[id, transformed(matrix, boxCentre(box))]] : [];
    });
  }

  #setPreview(preview: ShownState["preview"]): void {
    // Markers are hidden during a change.
    const areMarkersStale = (preview.size === 0) !== (this.#state.preview.size === 0);
    this.#state.preview = preview;
    if (areMarkersStale) this.#picture.showMarkers();
    this.#picture.showPreview();
  }
}
