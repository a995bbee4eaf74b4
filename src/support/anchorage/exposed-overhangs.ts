import type { Anchorage } from "./anchorage.ts";
import type { Overhangs } from "./overhangs.ts";

/**
 * The entries of a layer's overhangs at which solid begins; faces inside other solid, or of solid too thin for any layer,
 * are left out. `anchorage` has risen to that layer.
 */
export function exposedOverhangs(
  { starts, pixels, riseMm }: Overhangs,
  layer: number,
  middlesMm: Float64Array,
  anchorage: Anchorage,
): number[] {
  const exposed: number[] = [];
  const reachMm = riseMm + 2 * (middlesMm[layer] - middlesMm[layer - 1] || 0);
  for (let entry = starts[layer]; entry < starts[layer + 1]; entry++) {
    const pixel = pixels[entry];
    if (!anchorage.isSolid(pixel)) continue;
    // A pixel is solid as soon as the face touches it anywhere, before the face reaches its middle.
    const since = anchorage.since(pixel);
    const exposedAtMm = since > 0 ? middlesMm[since - 1] : 0;
    if (middlesMm[layer] - exposedAtMm <= reachMm) exposed.push(entry);
  }
  return exposed;
}
