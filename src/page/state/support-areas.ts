import { computed, effect, signal } from "@preact/signals";
import type { Vec3 } from "../../geometry/vector.ts";
import type { AreaShape } from "../../support/plan/support-area.ts";
import { shapeInMesh, shapeInScene } from "../action/areas-in-mesh.ts";
import type { SupportArea } from "../action/support-edits.ts";
import type { Xyz } from "../action/surface-place.ts";
import type { Mat4 } from "../view/instances.ts";
import type { AreaEvents, AreaMode, Brush, ShownSupportEdit } from "../view/view.ts";
import { edit, supportDraft, supportMode, supportTool } from "./support-mode.ts";
import { loadedShare, view } from "./view-state.ts";

// Areas of the part whose supports are edited, and the brush that marks them.

/** Diameters of the brush, mm in the scene. */
export const BRUSH_MM = [1, 20] as const;
/** Angles of faces, degrees. */
export const FACE_DEG = [1, 60] as const;

export const brushKind = signal<Brush["kind"]>("FACE");
export const brushMm = signal(5);
/** The default of the interface. */
export const faceDeg = signal(15);

export const shownBrush = computed((): Brush => ({
  kind: brushKind.value,
  mode: supportTool.value === "ALWAYS" ? "always" : "never",
  radiusMm: brushMm.value / 2,
  angleDeg: faceDeg.value,
}));

const inMesh = new WeakMap<SupportArea, { readonly matrix: Mat4; readonly shape: AreaShape }>();

/** The shape of an area in the coordinates of the mesh. It stays the same object, so that the view draws only what is new. */
function meshShape(area: SupportArea, matrix: Mat4): AreaShape {
  const known = inMesh.get(area);
  if (known?.matrix === matrix) return known.shape;
  const shape = shapeInMesh(area.shape, matrix);
  inMesh.set(area, { matrix, shape });
  return shape;
}

const areas = computed(() => supportDraft.value?.areas);

/** The areas as the view draws them. */
export const shownAreas = computed((): ShownSupportEdit["areas"] => {
  const matrix = supportMode.value?.part.matrix;
  const of = (mode: SupportArea["mode"]): AreaShape[] =>
    matrix ? (areas.value ?? []).filter((area) => area.mode === mode).map((area) => meshShape(area, matrix)) : [];
  return { never: of("NEVER"), always: of("ALWAYS") };
});

/** The surface that the areas of each kind cover, mm²; undefined until it is known. */
export const areaSizes = signal<Readonly<Partial<Record<AreaMode, number>>>>({});

/** Measures the areas when nothing else is to do. */
export function followAreas(): void {
  let wait: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const { value: shapes } = shownAreas;
    clearTimeout(wait);
    areaSizes.value = {};
    if (loadedShare.value < 1 || shapes.never.length + shapes.always.length === 0) return;
    wait = setTimeout(() => {
      const sizeOf = (mode: AreaMode): Partial<Record<AreaMode, number>> => {
        const size = view.peek()?.coveredMm2(mode);
        return size === undefined ? {} : { [mode]: size };
      };
      areaSizes.value = { ...sizeOf("never"), ...sizeOf("always") };
    });
  });
}

const setAreas = (next: readonly SupportArea[]): void => edit({ kind: "areas", areas: next });

export const clearAreas = (mode: SupportArea["mode"]): void =>
  setAreas((areas.value ?? []).filter((area) => area.mode !== mode));

export const clearArea = (one: SupportArea): void => setAreas((areas.value ?? []).filter((area) => area !== one));

/** What the brush does. A gesture is one edit, though it may be several strokes. */
export const AREA_EVENTS: AreaEvents = {
  mark(shapes) {
    const matrix = supportMode.value?.part.matrix;
    if (!matrix) return;
    const mode = supportTool.value === "ALWAYS" ? "ALWAYS" : "NEVER";
    const marked = shapes.map((shape): SupportArea => {
      const area = { mode, shape: shapeInScene(shape, matrix) } as const;
      inMesh.set(area, { matrix, shape });
      return area;
    });
    setAreas([...(areas.value ?? []), ...marked]);
  },
  resizeBrush: (factor) =>
    (brushMm.value = Math.max(BRUSH_MM[0], Math.min(BRUSH_MM[1], Number((brushMm.value * factor).toPrecision(3))))),
};

/** Margin around an area that is framed, mm. */
const AROUND_MM = 8;

/** Turns the camera to areas. */
export function showAreas(shown: readonly SupportArea[]): void {
  const places = shown.flatMap(({ shape }) => placesOf(shape));
  view.value?.frame(
    places.map(({ point, normal }) => ({
      point,
      radiusMm: AROUND_MM,
      severity: "info",
      label: "",
      isBelow: normal[2] < 0,
    })),
  );
}

function placesOf(shape: SupportArea["shape"]): { readonly point: Vec3; readonly normal: Vec3 }[] {
  const vec = ({ x, y, z }: Xyz): Vec3 => [x, y, z];
  const origin: Xyz = { x: 0, y: 0, z: 1 };
  if (shape.kind === "STROKE")
    return shape.points.map((point, i) => ({ point: vec(point), normal: vec(shape.normals[i] ?? origin) }));
  const point = shape.kind === "BALL" ? shape.centre : shape.point;
  return [{ point: vec(point), normal: vec(shape.normal) }];
}
