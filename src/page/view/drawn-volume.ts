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

/** The build volume of a printer with a grid, marks of the axes, and a mark of the front. */
export interface DrawnVolume {
  readonly object: Group;
  readonly captions: readonly Caption[];
  /** Makes the platform transparent for a view from below, so that it does not hide the parts. */
  seeFrom(isAbove: boolean): void;
  close(): void;
}

const GRID_MM = 10;
/** Every fifth line is a heavy one. */
const HEAVY_EVERY = 5;
/** Number of segments of a rounded corner. */
const CORNER_PIECES = 8;
/** Opacity of the platform seen from above and from below. */
const [OPACITY_ABOVE, OPACITY_BELOW] = [1, 0.35];
/** Distance of the marks from the platform, as a fraction of its width. */
const MARK_GAP = 0.03;
/** Length of the marks of the axes, as a fraction of the smallest dimension. */
const AXIS_LENGTH = 0.2;

type Line = readonly [from: Vec3, to: Vec3];
type Rim = readonly (readonly [x: number, y: number])[];

/** Draws a build volume; for powder printers also the walls of the chamber. */
export function newDrawnVolume(volume: ShownVolume, palette: Palette): DrawnVolume {
  const { dimensionsMm, cornerRadiusMm, family } = volume;
  const rim = volumeRim({ dimensionsMm, filletRadiusMm: cornerRadiusMm }, CORNER_PIECES);
  const height = dimensionsMm[2];
  const object = new Group();
  const platform = newPlatform(rim, palette.platform);
  object.add(platform);
  if (family === "powder") object.add(walls(rim, height, palette.wall));
  const grid = gridLines(volume);
  object.add(lines(grid.light, palette.grid), lines(grid.heavy, palette.heavyGrid));
  object.add(lines(edgesOf(rim, height), palette.edge));
  const marks = marksOf(dimensionsMm);
  for (const [axis, line] of marks.axes.entries()) object.add(lines([line], palette.axes[axis]));
  object.add(lines(marks.front, palette.edge));

  return {
    object,
    captions: marks.captions,
    seeFrom: (isAbove) => setTransparent(platform.material, !isAbove),
    close() {
      for (const child of object.children as (Mesh | LineSegments)[]) {
        child.geometry.dispose();
        (child.material as MeshBasicMaterial).dispose();
      }
    },
  };
}

function newPlatform(rim: Rim, color: number): Mesh<ShapeGeometry, MeshBasicMaterial> {
  const material = new MeshBasicMaterial({
    color,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 2,
  });
  const outline = new Shape();
  outline.setFromPoints(rim.map(([x, y]) => ({ x, y })) as never);
  return new Mesh(new ShapeGeometry(outline), material);
}

function setTransparent(platform: MeshBasicMaterial, isTransparent: boolean): void {
  platform.opacity = isTransparent ? OPACITY_BELOW : OPACITY_ABOVE;
  if (platform.transparent === isTransparent) return;
  platform.transparent = isTransparent;
  // A transparent platform must not hide the markers behind it.
  platform.depthWrite = !isTransparent;
  platform.needsUpdate = true;
}

interface Marks {
  /** Lines along x, y and z near the front left corner. */
  readonly axes: readonly Line[];
  /** Triangle in front of the platform that points to the user. */
  readonly front: readonly Line[];
  readonly captions: readonly Caption[];
}

function marksOf([width, depth, height]: ShownVolume["dimensionsMm"]): Marks {
  const gap = MARK_GAP * width;
  const [left, front] = [-width / 2 - gap, -depth / 2 - gap];
  const length = AXIS_LENGTH * Math.min(width, depth, height);
  const ends: Vec3[] = [
    [left + length, front, 0],
    [left, front + length, 0],
    [left, front, length],
  ];
  return {
    axes: ends.map((end): Line => [[left, front, 0], end]),
    front: frontMark(front, gap),
    captions: [
      ...ends.map((point, axis) => ({ text: "XYZ"[axis], point, style: "xyz"[axis] })),
      { text: "Front", point: [0, front - 3.5 * gap, 0], style: "front" },
    ],
  };
}

const lines = (segments: readonly Line[], color: number): LineSegments =>
  new LineSegments(geometryOf(segments.flat(2)), new LineBasicMaterial({ color }));

function geometryOf(coordinates: readonly number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(coordinates), 3));
  return geometry;
}

/** Walls of a chamber. Only the far ones are visible, since their inner sides face the viewer. */
function walls(rim: Rim, height: number, color: number): Mesh {
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

/** Lines of the grid, clipped to the rounded platform. */
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

/** Distance by which a rounded corner shortens the end of a grid line at `at`, mm. */
const cornerInset = (at: number, straight: number, radius: number): number => {
  const into = Math.max(0, Math.abs(at) - straight);
  return radius - Math.sqrt(Math.max(0, radius * radius - into * into));
};

/** Lower and upper outline, and a vertical edge in the middle of each rounded corner. */
function edgesOf(rim: Rim, height: number): Line[] {
  const at = (i: number, z: number): Vec3 => [...rim[i % rim.length], z];
  const rings = [0, height].flatMap((z) => rim.map((_, i): Line => [at(i, z), at(i + 1, z)]));
  const corners = [0, 1, 2, 3].map((corner) => corner * (CORNER_PIECES + 1) + CORNER_PIECES / 2);
  return [...rings, ...corners.map((i): Line => [at(i, 0), at(i, height)])];
}

/** Triangle in front of the platform that points to the user. */
function frontMark(front: number, gap: number): Line[] {
  const corners: Vec3[] = [
    [-gap, front, 0],
    [gap, front, 0],
    [0, front - gap, 0],
  ];
  return corners.map((corner, i): Line => [corner, corners[(i + 1) % 3]]);
}
