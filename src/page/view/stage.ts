import {
  BackSide,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Shape,
  ShapeGeometry,
} from "three";
import { volumeFootprint, volumeRim } from "../../geometry/build-volume.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { Caption } from "./captions.ts";
import type { Palette } from "./palette.ts";
import type { ShownVolume } from "./view.ts";

/** The build volume with what stands around it. */
export interface Stage {
  readonly object: Group;
  readonly captions: readonly Caption[];
  /** From below, the platform must not hide what stands on it. */
  seeFrom(isAbove: boolean): void;
  close(): void;
}

const GRID_MM = 10;
/** Every fifth line is a heavy one. */
const HEAVY_EVERY = 5;
const CORNER_PIECES = 8;
/** Of the platform from above and below. */
const [OPACITY_ABOVE, OPACITY_BELOW] = [1, 0.35];
/** Distance of the marks of the front and the axes from the platform, as a share of its width. */
const MARK_GAP = 0.03;

type Line = readonly [from: Vec3, to: Vec3];

/** Draws a build volume: platform with a grid, edges, the axes' directions, the front; of powder machines the walls of the chamber. */
export function newStage(volume: ShownVolume, palette: Palette): Stage {
  const { dimensionsMm, cornerRadiusMm, family } = volume;
  const shape = { dimensionsMm, filletRadiusMm: cornerRadiusMm };
  const rim = volumeRim(shape, CORNER_PIECES);
  const [width, depth, height] = dimensionsMm;
  const object = new Group();

  const platform = new MeshBasicMaterial({
    color: palette.platform,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 2,
  });
  const outline = new Shape();
  outline.setFromPoints(rim.map(([x, y]) => ({ x, y })) as never);
  object.add(new Mesh(new ShapeGeometry(outline), platform));
  if (family === "powder") object.add(walls(rim, height, palette.wall));

  const grid = gridLines(volume);
  object.add(lines(grid.light, palette.grid), lines(grid.heavy, palette.heavyGrid));
  object.add(lines(edgesOf(rim, height), palette.edge));

  const gap = MARK_GAP * width;
  const [left, front] = [-width / 2 - gap, -depth / 2 - gap];
  const reach = 0.2 * Math.min(width, depth, height);
  const ends: Vec3[] = [
    [left + reach, front, 0],
    [left, front + reach, 0],
    [left, front, reach],
  ];
  for (const [axis, end] of ends.entries()) object.add(lines([[[left, front, 0], end]], palette.axes[axis]));
  object.add(lines(frontMark(front, gap), palette.edge));

  const captions: Caption[] = [
    ...ends.map((point, axis) => ({ text: "XYZ"[axis], point, style: "xyz"[axis] })),
    { text: "Front", point: [0, front - 3.5 * gap, 0], style: "front" },
  ];

  return {
    object,
    captions,
    seeFrom(isAbove) {
      platform.opacity = isAbove ? OPACITY_ABOVE : OPACITY_BELOW;
      if (platform.transparent !== isAbove) return;
      platform.transparent = !isAbove;
      // What is marked behind it is seen.
      platform.depthWrite = isAbove;
      platform.needsUpdate = true;
    },
    close() {
      for (const child of object.children as (Mesh | LineSegments)[]) {
        child.geometry.dispose();
        (child.material as MeshBasicMaterial).dispose();
      }
    },
  };
}

const lines = (segments: readonly Line[], color: number): LineSegments =>
  new LineSegments(geometryOf(segments.flat(2)), new LineBasicMaterial({ color }));

function geometryOf(coordinates: readonly number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(coordinates), 3));
  return geometry;
}

/** The far walls of a chamber: those whose inside one sees. */
function walls(rim: readonly (readonly [number, number])[], height: number, color: number): Mesh {
  const panes = rim.flatMap(([x, y], i) => {
    const [u, v] = rim[(i + 1) % rim.length];
    const corners = [
      [x, y, 0],
      [u, v, 0],
      [u, v, height],
      [x, y, height],
    ];
    return [0, 1, 2, 0, 2, 3].flatMap((corner) => corners[corner]);
  });
  const material = new MeshBasicMaterial({
    color,
    side: BackSide,
    transparent: true,
    opacity: 0.22,
    depthWrite: false,
  });
  return new Mesh(geometryOf(panes), material);
}

/** The lines of the grid, from edge to edge of the rounded platform. */
function gridLines({ dimensionsMm, cornerRadiusMm }: ShownVolume): { readonly light: Line[]; readonly heavy: Line[] } {
  const footprint = volumeFootprint({ dimensionsMm, filletRadiusMm: cornerRadiusMm });
  const steps = (lengthMm: number): number[] => {
    const count = Math.floor(lengthMm / 2 / GRID_MM);
    return Array.from({ length: 2 * count + 1 }, (_, i) => i - count);
  };
  const drawn = [0, 1].flatMap((across) =>
    steps(dimensionsMm[across]).map((step) => {
      const at = step * GRID_MM;
      const end = dimensionsMm[1 - across] / 2 - cornerInset(at, across === 0 ? footprint.a : footprint.b, footprint.r);
      const line: Line =
        across === 0
          ? [
              [at, -end, 0],
              [at, end, 0],
            ]
          : [
              [-end, at, 0],
              [end, at, 0],
            ];
      return { line, isHeavy: step % HEAVY_EVERY === 0 };
    }),
  );
  const pick = (wanted: boolean): Line[] => drawn.filter(({ isHeavy }) => isHeavy === wanted).map(({ line }) => line);
  return { light: pick(false), heavy: pick(true) };
}

/** How far a rounded corner takes the end of a line at `at` in. */
const cornerInset = (at: number, straight: number, radius: number): number => {
  const into = Math.max(0, Math.abs(at) - straight);
  return radius - Math.sqrt(Math.max(0, radius * radius - into * into));
};

/** The lower and the upper outline, and an edge in the middle of each rounded corner. */
function edgesOf(rim: readonly (readonly [number, number])[], height: number): Line[] {
  const at = (i: number, z: number): Vec3 => [...rim[i % rim.length], z];
  const rings = [0, height].flatMap((z) => rim.map((_, i): Line => [at(i, z), at(i + 1, z)]));
  const corners = [0, 1, 2, 3].map((corner) => corner * (CORNER_PIECES + 1) + CORNER_PIECES / 2);
  return [...rings, ...corners.map((i): Line => [at(i, 0), at(i, height)])];
}

/** A triangle before the platform that points to who stands there. */
function frontMark(front: number, gap: number): Line[] {
  const corners: Vec3[] = [
    [-gap, front, 0],
    [gap, front, 0],
    [0, front - gap, 0],
  ];
  return corners.map((corner, i): Line => [corner, corners[(i + 1) % 3]]);
}
