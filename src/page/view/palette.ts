/** Colours of the view, sRGB 0xRRGGBB. */
export interface Palette {
  readonly background: number;
  readonly platform: number;
  readonly grid: number;
  readonly heavyGrid: number;
  /** Edges of the build volume. */
  readonly edge: number;
  /** Walls of a powder chamber. */
  readonly wall: number;
  readonly part: number;
  readonly support: number;
  readonly lattice: number;
  /** Letters on a lattice. */
  readonly letters: number;
  /** Bodies out of bounds. They are hatched as well, for users who cannot distinguish the colours. */
  readonly outOfBounds: number;
  /** Hatching of bodies that overlap others. */
  readonly overlap: number;
  /** Areas that no support may touch, and those with denser supports. */
  readonly never: number;
  readonly always: number;
  readonly selected: number;
  /** Bodies that are only tried out; after a cut, those on the side of its normal, and the others. */
  readonly tried: number;
  readonly above: number;
  readonly below: number;
  /** Edges of the selection, and the shown layer. */
  readonly accent: number;
  /** Inside of bodies that are cut at a layer. */
  readonly cut: number;
  /** Support points that are edited, by their class. */
  readonly points: Readonly<Record<"LIGHT" | "MEDIUM" | "HEAVY", number>>;
  readonly selectedPoint: number;
  readonly severity: Readonly<Record<"info" | "warning" | "error", number>>;
  /** Directions x, y and z. */
  readonly axes: readonly [x: number, y: number, z: number];
}

/** Bodies have the colours of the pictures of `scene/render`, slightly darker, since the light of the view is flatter. */
const LIGHT: Palette = {
  background: 0xeef1f4,
  platform: 0xd5dae0,
  grid: 0xbcc4cd,
  heavyGrid: 0x98a3af,
  edge: 0x66727f,
  wall: 0xc9b79a,
  part: 0x9db4cc,
  support: 0xe3cf9f,
  lattice: 0xa7c4ad,
  letters: 0x26392c,
  outOfBounds: 0xef6a4a,
  overlap: 0xc7303a,
  never: 0xa44fd0,
  always: 0x3f9e58,
  selected: 0x4f8fe8,
  tried: 0x7fb4b4,
  above: 0xd9a05b,
  below: 0x4f8fe8,
  accent: 0x0b57c2,
  cut: 0x5b6b7c,
  points: { LIGHT: 0x0aa88a, MEDIUM: 0xf09a1e, HEAVY: 0xe0453c },
  selectedPoint: 0x0b57c2,
  severity: { info: 0x0b57c2, warning: 0xa65a00, error: 0xc01818 },
  axes: [0xc0392b, 0x2e7d32, 0x1f5fbf],
};

const DARK: Palette = {
  background: 0x171b20,
  platform: 0x2a3038,
  grid: 0x3a424c,
  heavyGrid: 0x525d69,
  edge: 0x8c98a5,
  wall: 0x6e6048,
  part: 0x8fa6be,
  support: 0xc9b482,
  lattice: 0x8fb097,
  letters: 0x14211a,
  outOfBounds: 0xf0694a,
  overlap: 0xe2525a,
  never: 0xb468de,
  always: 0x4fb56c,
  selected: 0x4c93f5,
  tried: 0x76a7a6,
  above: 0xcf9650,
  below: 0x4c93f5,
  accent: 0x8ab8ff,
  cut: 0x4b5a69,
  points: { LIGHT: 0x2fd3b0, MEDIUM: 0xffb454, HEAVY: 0xff6b5e },
  selectedPoint: 0xffffff,
  severity: { info: 0x8ab8ff, warning: 0xffb454, error: 0xff7b72 },
  axes: [0xff7b6e, 0x7ccf80, 0x7db1ff],
};

/** Returns the light or the dark colours. */
export const paletteOf = (isDark: boolean): Palette => (isDark ? DARK : LIGHT);

/** Returns red, green and blue of an sRGB colour, 0 to 1. */
export const rgbOf = (colour: number): [red: number, green: number, blue: number] => [
  (colour >> 16) / 255,
  ((colour >> 8) & 255) / 255,
  (colour & 255) / 255,
];
