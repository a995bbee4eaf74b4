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
import { AXIS_INDICES, type Axis, type Vec3, add, times } from "../../geometry/vector.ts";
import type { Caption } from "./captions.ts";
import { AXES, AXIS_NAMES } from "./axes.ts";
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
  for (const axis of AXIS_INDICES) object.add(lines([marks.axes[axis]], palette.axes[axis]));
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
  readonly axes: readonly [x: Line, y: Line, z: Line];
  /** Triangle in front of the platform that points to the user. */
  readonly front: readonly Line[];
  readonly captions: readonly Caption[];
}

function marksOf([width, depth, height]: ShownVolume["dimensionsMm"]): Marks {
  const gap = MARK_GAP * width;
  const [left, front] = [-width / 2 - gap, -depth / 2 - gap];
  const length = AXIS_LENGTH * Math.min(width, depth, height);
  const corner: Vec3 = [left, front, 0];
  const endOf = (axis: Axis): Vec3 => add(corner, times(AXES[axis], length));
  return {
    axes: [
      [corner, endOf(0)],
      [corner, endOf(1)],
      [corner, endOf(2)],
    ],
    front: frontMark(front, gap),
    captions: [
      ...AXIS_INDICES.map((axis) => ({
        text: AXIS_NAMES[axis].toUpperCase(),
        point: endOf(axis),
        style: AXIS_NAMES[axis],
      })),
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

/** The sides of a closed ring, from each point to the next one. */
const sidesOf = <P>(ring: readonly P[]): [from: P, to: P][] =>
  ring.map((from, i) => [from, ring[(i + 1) % ring.length] ?? from]);

/** Walls of a chamber. Only the far ones are visible, since their inner sides face the viewer. */
function walls(rim: Rim, height: number, color: number): Mesh {
  const panes = sidesOf(rim).flatMap(([[x, y], [u, v]]) => {
    const [first, opposite]: [Vec3, Vec3] = [
      [x, y, 0],
      [u, v, height],
    ];
    return [first, [u, v, 0], opposite, first, opposite, [x, y, height]].flat();
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
  const [width, depth] = dimensionsMm;
  const drawn = [0, 1].flatMap((across) =>
    steps(across === 0 ? width : depth).map((step) => {
      const at = step * GRID_MM;
      const end =
        (across === 0 ? depth : width) / 2 - cornerInset(at, across === 0 ? footprint.a : footprint.b, footprint.r);
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
  const rings = [0, height].flatMap((z) =>
    sidesOf(rim).map(([[x, y], [u, v]]): Line => [
      [x, y, z],
      [u, v, z],
    ]),
  );
  const middles = rim.filter((_, i) => i % (CORNER_PIECES + 1) === CORNER_PIECES / 2);
  return [
    ...rings,
    ...middles.map(([x, y]): Line => [
      [x, y, 0],
      [x, y, height],
    ]),
  ];
}

/** Triangle in front of the platform that points to the user. */
function frontMark(front: number, gap: number): Line[] {
  return sidesOf<Vec3>([
    [-gap, front, 0],
    [gap, front, 0],
    [0, front - gap, 0],
  ]);
}
