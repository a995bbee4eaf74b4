import { type Box, boxCentre, unionBoxes } from "../../geometry/box.ts";
import { ORIGIN, type Vec3 } from "../../geometry/vector.ts";
import { type ChangeTarget, changeDrag } from "./change-drag.ts";
import { type Change, changeMatrix, moveChange, rotationRows, scaleChange, turnChange } from "./changes.ts";
import type { Drag } from "./gestures.ts";
import { type Handle, handleAt, handlesOf } from "./handles.ts";
import { transformed } from "./instances.ts";
import { type Nudges, newNudges } from "./nudges.ts";
import { type Orbit, type Pixel, type PictureSize, projected } from "./orbit.ts";
import type { Overlay } from "./overlay.ts";
import type { ShownModel, Tool, ViewEvents } from "./view.ts";

/** What is shown now. */
export interface Shown {
  readonly tool: Tool;
  readonly models: readonly ShownModel[];
  readonly selected: ReadonlySet<string>;
  /** What stands out of its place, as a matrix after its own, by the model's id. */
  readonly preview: ReadonlyMap<string, readonly number[]>;
  readonly orbit: Orbit;
  readonly size: PictureSize;
  /** Models of resin printers stay on the platform. */
  readonly isPowder: boolean;
}

export interface EditHost {
  shown(): Shown;
  /** Around all the bodies of some models that are loaded. */
  boxes(isWanted: (modelId: string) => boolean): readonly Box[];
  /** The box of a mesh in its own coordinates, once it is loaded. */
  meshBox(hash: string): Box | undefined;
  modelAt(at: Pixel): string | undefined;
  setPreview(preview: Shown["preview"]): void;
}

/** Moves, turns and scales the selection with its handles and by keys, and moves models that are dragged themselves. */
export interface EditGestures {
  readonly nudges: Nudges;
  handles(): readonly Handle[];
  /** The drag that begins here, where one of the tools takes it. */
  grab(from: Pixel, reachPx: number): Drag | undefined;
}

export function newEditGestures(host: EditHost, overlay: Overlay, events: ViewEvents): EditGestures {
  const pivot = ({ selected }: Shown): Vec3 | undefined => {
    const boxes = host.boxes((id) => selected.has(id));
    return boxes.length === 0 ? undefined : boxCentre(boxes.reduce(unionBoxes));
  };
  const handles = (): readonly Handle[] => {
    const shown = host.shown();
    const { tool, preview, orbit, size, isPowder } = shown;
    if (tool === "select" || tool === "pick" || preview.size > 0) return [];
    const middle = pivot(shown);
    return middle ? handlesOf(tool, middle, isPowder ? [0, 1, 2] : [0, 1], orbit, size) : [];
  };
  /** The points about which models turn: the middles of their meshes. */
  const centresOf = (models: readonly ShownModel[], ids: ReadonlySet<string>): [id: string, centre: Vec3][] =>
    models.flatMap(({ id, mesh, matrix }) => {
      const box = ids.has(id) && host.meshBox(mesh);
      return box ? [[id, transformed(matrix, boxCentre(box))] as const] : [];
    }) as [string, Vec3][];
  /** Shows these models changed, and proposes it in the end. */
  const targetOf = (ids: ReadonlySet<string>): ChangeTarget => {
    const centres = centresOf(host.shown().models, ids);
    return {
      show: (change) =>
        host.setPreview(new Map(change && centres.map(([id, centre]) => [id, changeMatrix(change, centre)]))),
      propose(change) {
        if (change.kind === "move") events.move([...ids], change.by);
        else if (change.kind === "turn") events.turn([...ids], rotationRows(change));
        else events.scale([...ids], change.factor);
      },
    };
  };

  return {
    handles,
    nudges: newNudges(overlay, () => {
      const shown = host.shown();
      const middle = pivot(shown);
      return middle && { target: targetOf(shown.selected), at: projected(shown.orbit, middle, shown.size) };
    }),
    grab(from, reachPx) {
      const handle = handleAt(handles(), from, reachPx);
      const { tool, selected } = host.shown();
      const dragged = handle || tool !== "move" ? undefined : host.modelAt(from);
      if (!handle && dragged === undefined) return undefined;
      if (dragged !== undefined && !selected.has(dragged)) events.select([dragged]);
      const ids = dragged === undefined || selected.has(dragged) ? selected : new Set([dragged]);
      const middle = pivot(host.shown()) ?? ORIGIN;

      const changeTo = (to: Pixel): Change => {
        const { orbit, size } = host.shown();
        const stroke = { from, to, orbit, size };
        if (tool === "turn") return turnChange(stroke, handle!.axis!, middle);
        if (tool === "scale") return scaleChange(stroke, middle);
        return moveChange(stroke, handle ? [handle.axis!] : [0, 1]);
      };
      return changeDrag(overlay, changeTo, targetOf(ids));
    },
  };
}
