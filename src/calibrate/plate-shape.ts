import type { PanelOptics } from "../job/grey-table.ts";
import type { PixelGrid } from "../slice/pixel-grid.ts";

/** What a plate follows from: equal facts give an equal plate. */
export interface PlateFacts {
  readonly grid: PixelGrid;
  readonly layerMm: number;
  readonly greyLevels: number;
  readonly leastGrey: number;
  /** The response of the panel, if it is known. */
  readonly response?: PanelOptics["response"] | undefined;
  /** Exposure of the layer of timed pads, in those of normal layers; 1 for plates without timed pads. */
  readonly timeRatio: number;
  /** Layers by which the posts at the corners are higher than all else. */
  readonly cornerLayers: number;
}

/** Heights of a shape: from layer `from` to before layer `to`, counted from the platform. */
interface Heights {
  readonly from: number;
  readonly to: number;
}

export type Span = readonly [from: number, to: number];

export const lengthOf = ([from, to]: Span): number => to - from;

/** A rectangle. mm from the middle of the plate, seen from above: x to the right, y to the back. */
export interface Bar extends Heights {
  readonly kind: "bar";
  readonly x: Span;
  readonly y: Span;
  /** 1 to 255; 0 cuts it out of the shapes before it. */
  readonly grey: number;
}

export interface Disc extends Heights {
  readonly kind: "disc";
  readonly x: number;
  readonly y: number;
  readonly diameterMm: number;
  readonly grey: number;
}

/** White text whose baseline begins at (x, y). */
export interface Legend extends Heights {
  readonly kind: "legend";
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** A part of a plate. Later shapes replace earlier ones where they overlap. */
export type PlateShape = Bar | Disc | Legend;

/** Height of capital letters: strokes of the font are then 0.4 mm wide. */
export const CAP_HEIGHT_MM = 1.65;

/** What a reading measures, by which it is predicted. */
export type Measured =
  /** How many pads of one layer there are, of these greys, the brightest first; `exposure` of their layer, in those of normal ones. */
  | { readonly kind: "skins"; readonly greys: readonly number[]; readonly exposure: number }
  /** How many towers stand, of these greys, the brightest first. */
  | { readonly kind: "towers"; readonly greys: readonly number[] }
  /** Thickness of a ledge of some layers over nothing. */
  | { readonly kind: "ledge"; readonly layers: number; readonly grey: number }
  /** Length along x (0) or y (1) of the printer: over both outer edges (1), or between two bodies (−1). */
  | {
      readonly kind: "length";
      readonly axis: 0 | 1;
      readonly lengthMm: number;
      readonly side: 1 | -1;
      readonly grey: number;
    }
  /** Diameter of a pin (1) or of a hole (−1). */
  | { readonly kind: "diameter"; readonly diameterMm: number; readonly side: 1 | -1 }
  | { readonly kind: "height"; readonly layers: number }
  /** How many walls stand, or gaps are open, of these widths, the widest first. For people: no figure follows from it. */
  | { readonly kind: "walls" | "gaps"; readonly widthsMm: readonly number[] };

/** A value that is read from a printed plate. */
export interface Reading {
  /** The number on the plate, with the letter of the place in its row. */
  readonly patch: string;
  /** What is read, for people. */
  readonly measure: string;
  readonly unit: "mm" | "count";
  readonly of: Measured;
}

/** Shapes and what is read from them. */
export interface Block {
  readonly shapes: readonly PlateShape[];
  readonly readings: readonly Reading[];
}

/** Places edges between pixels. */
export type Snap = (mm: number) => number;

/** The heights at which the parts of a plate begin and end, in layers. */
export interface PlateLevels {
  /** The base plate ends. */
  readonly base: number;
  /** The layer of the pads that get longer exposures. */
  readonly timed: number;
  /** The first layer with the normal exposure. */
  readonly normal: number;
  /** All but the posts at the corners ends. */
  readonly top: number;
  /** These end. */
  readonly corners: number;
  /** Legends end. */
  readonly legend: number;
}

export const letterOf = (index: number): string => String.fromCharCode("a".charCodeAt(0) + index);
