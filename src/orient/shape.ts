import type { Mesh } from "../mesh/mesh.ts";
import { type Flat, flatsOf } from "./form/flats.ts";
import { type Moments, momentsOf } from "./form/moments.ts";
import { type Part, partOf } from "./form/part.ts";

/** A part and what its form tells: nothing here depends on how it is cut into facets or how it was turned. */
export interface Shape {
  readonly part: Part;
  readonly moments: Moments;
  /** The largest first. */
  readonly flats: readonly Flat[];
}

export function shapeOf(mesh: Mesh, scale: number): Shape {
  const part = partOf(mesh, scale);
  return { part, moments: momentsOf(part), flats: flatsOf(part) };
}
