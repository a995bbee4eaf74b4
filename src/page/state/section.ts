import { computed, signal } from "@preact/signals";
import { boxCentre, unionBoxes } from "../../geometry/box.ts";
import { type Axis, ORIGIN, type Vec3, dot, times, vec3Of } from "../../geometry/vector.ts";
import { boxCorners } from "../view/orbit.ts";
import type { CutPlane, SurfacePick, Tool } from "../view/view.ts";
import { boxOf, details, selectedIds } from "./project.ts";
import { chooseTool, pickFor, tool, view } from "./view-state.ts";

// A section cuts off what is beyond a plane, in the view alone. It stays while other tools are used.

/** The plane of the section; undefined without one. */
export const section = signal<CutPlane | undefined>(undefined);

/** What places are clicked for while a face for the section is chosen, instead of the path of an action. */
export const SECTION_FACE = "section";

const boxes = computed(() => [...details.value.values()].map(boxOf));

/** Middle of the selected parts, or else of all; undefined without parts. The handle of the section is near it. */
export const sectionMiddle = computed((): Vec3 | undefined => {
  const chosen = selectedIds.value.flatMap((id) => details.value.get(id) ?? []).map(boxOf);
  const near = chosen.length > 0 ? chosen : boxes.value;
  return near.length === 0 ? undefined : boxCentre(near.reduce(unionBoxes));
});

/** Where planes across a direction meet the parts of the scene, from and to, mm. */
export function sectionRange(normal: Vec3): readonly [fromMm: number, toMm: number] {
  const along = boxes.value.flatMap((box) => boxCorners(box).map((corner) => dot(normal, corner)));
  // Copied parts are many: as arguments of one call they would exceed the stack.
  return along.length === 0 ? [0, 0] : [along.reduce((a, b) => Math.min(a, b)), along.reduce((a, b) => Math.max(a, b))];
}

/** Cuts through the middle of the selected parts, or else of all, across a direction. */
export function sectionAcross(normal: Vec3): void {
  section.value = { normal, atMm: dot(normal, sectionMiddle.value ?? ORIGIN) };
}

const towardViewer = (): Vec3 => view.value?.toward() ?? [0, 0, 1];

export const sectionFromView = (): void => sectionAcross(towardViewer());

/** Cuts across an axis, and removes the side that is nearer to the viewer. */
export function sectionAcrossAxis(axis: Axis): void {
  const side = towardViewer()[axis] < 0 ? -1 : 1;
  sectionAcross(vec3Of((one) => (one === axis ? side : 0)));
}

/** Moves the section, as far as there are parts. */
export function placeSection({ normal, atMm }: CutPlane): void {
  const [fromMm, toMm] = sectionRange(normal);
  section.value = { normal, atMm: Math.max(fromMm, Math.min(toMm, atMm)) };
}

/** The tool that was used before a face was chosen. */
let toolBefore: Tool = "select";

/** Makes the next click on a part choose the plane of a face. */
export function chooseSectionFace(): void {
  toolBefore = tool.value === "pick" ? "select" : tool.value;
  pickFor(SECTION_FACE);
}

/** Cuts in the plane of a clicked face; the slider then moves it into the part. */
export function sectionAtFace({ point, normal }: SurfacePick): void {
  section.value = { normal, atMm: dot(normal, point) };
  chooseTool(toolBefore);
}

export function toggleSection(): void {
  if (section.value) section.value = undefined;
  else sectionFromView();
}

/** Shows what the section hides, and hides the other side. */
export function flipSection(): void {
  const { value } = section;
  if (value) section.value = { normal: times(value.normal, -1), atMm: -value.atMm };
}
