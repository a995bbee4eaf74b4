import type { CrossSection, FillRule } from "manifold-3d";
import { booleanKernel, type BooleanKernel } from "../kernel.ts";
import type { Region, Ring } from "./region.ts";

/** A corner that lies so little off the line between its neighbours goes: what clipping and offsets leave behind. */
const STRAIGHT_MM = 0.002;

/** What `make` draws with Clipper2, the kernel's library of plane regions; every drawing it `keep`s is deleted. */
export async function inPlane(
  make: (kernel: BooleanKernel, keep: (drawing: CrossSection) => CrossSection) => CrossSection,
): Promise<Region> {
  const kernel = await booleanKernel();
  const kept: CrossSection[] = [];
  const keep = (drawing: CrossSection): CrossSection => {
    kept.push(drawing);
    return drawing;
  };
  try {
    const made = keep(make(kernel, keep));
    return keep(made.simplify(STRAIGHT_MM))
      .toPolygons()
      .map((ring) => Float64Array.from(ring.flat()));
  } finally {
    for (const drawing of new Set(kept)) drawing.delete();
  }
}

/** The region that rings draw by a rule; the kernel has no rings for nothing. */
export const drawn = ({ CrossSection }: BooleanKernel, rings: readonly Ring[], rule: FillRule): CrossSection =>
  rings.length === 0 ? CrossSection.square(0) : CrossSection.ofPolygons(polygonsOf(rings), rule);

/** The region as the kernel takes it. */
export const polygonsOf = (region: Region): [x: number, y: number][][] =>
  region.map((ring) => Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i], ring[2 * i + 1]]));
