import { signal } from "@preact/signals";
import type { Axis, Vec3 } from "../../geometry/vector.ts";
import { dot, times, vec3Of } from "../../geometry/vector.ts";
import { boxCorners } from "../view/orbit.ts";
import type { CutPlane, SurfacePick } from "../view/view.ts";
import { details } from "./project.ts";
import { chooseTool, pickFor, view } from "./view-state.ts";

// A section cuts off what is beyond a plane, in the view alone. It stays while other tools are used.

/** The plane of the section; undefined without one. */
export const section = signal<CutPlane | undefined>(undefined);

/** What places are clicked for while a face for the section is chosen, instead of the path of an action. */
export const SECTION_FACE = "section";

/** Where planes across a direction meet the parts of the scene, from and to, mm. */
export function sectionRange(normal: Vec3): readonly [fromMm: number, toMm: number] {
  const along = [...details.value.values()].flatMap(({ bounding_box: { min_corner: a, max_corner: b } }) =>
    boxCorners({ min: [a.x, a.y, a.z], max: [b.x, b.y, b.z] }).map((corner) => dot(normal, corner)),
  );
  // Copied parts are many: as arguments of one call they would exceed the stack.
  return along.length === 0 ? [0, 0] : [along.reduce((a, b) => Math.min(a, b)), along.reduce((a, b) => Math.max(a, b))];
}

/** Cuts through the middle of the parts, across a direction. */
export function sectionAcross(normal: Vec3): void {
  const [fromMm, toMm] = sectionRange(normal);
  section.value = { normal, atMm: (fromMm + toMm) / 2 };
}

const towardViewer = (): Vec3 => view.value?.toward() ?? [0, 0, 1];

export const sectionFromView = (): void => sectionAcross(towardViewer());

/** Cuts across an axis, and removes the side that is nearer to the viewer. */
export function sectionAcrossAxis(axis: Axis): void {
  const side = towardViewer()[axis] < 0 ? -1 : 1;
  sectionAcross(vec3Of((one) => (one === axis ? side : 0)));
}

/** Makes the next click on a part choose the plane of a face. */
export const chooseSectionFace = (): void => pickFor(SECTION_FACE);

/** Cuts in the plane of a clicked face; the slider then moves it into the part. */
export function sectionAtFace({ point, normal }: SurfacePick): void {
  section.value = { normal, atMm: dot(normal, point) };
  chooseTool("select");
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
