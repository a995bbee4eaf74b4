import type { Mat3 } from "../core/geometry.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Extremes, extremesOf } from "./form/extremes.ts";
import { type Flat, flatsOf } from "./form/flats.ts";
import { type Moments, momentsOf } from "./form/moments.ts";
import { type Part, partOf } from "./form/part.ts";
import { principalAxes } from "./form/principal-axes.ts";
import { halfOf, lattice } from "./search/lattice.ts";

/** A part and what its form tells: nothing here depends on how it is cut into facets or how it was turned. */
export interface Shape {
  readonly part: Part;
  readonly moments: Moments;
  /** Rows: the part's principal axes, the one that it is longest along first. */
  readonly axes: Mat3;
  readonly extremes: Extremes;
  /** The largest first. */
  readonly flats: readonly Flat[];
}

/** 66 directions, whose farthest vertices give the height in any other to a share of 1 %. */
const EXTREME_STEPS = 4;

export function shapeOf(mesh: Mesh, scale: number): Shape {
  const part = partOf(mesh, scale);
  const moments = momentsOf(part);
  const axes = principalAxes(moments.second);
  return {
    part,
    moments,
    axes,
    extremes: extremesOf(part, halfOf(lattice(EXTREME_STEPS, axes))),
    flats: flatsOf(part),
  };
}
