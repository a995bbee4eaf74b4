import type { Manifold } from "manifold-3d";
import { type Box, centreOf, sizeOf } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { boxOf } from "../measure.ts";
import type { Surface } from "../mesh.ts";
import { combined } from "./combined.ts";
import { booleanKernel, type BooleanKernel } from "./kernel.ts";
import { solidOf } from "./solid-of.ts";
import { surfaceOf } from "./surface-of.ts";

/**
 * So many bodies are handed to the kernel at once, few enough to stop between. It unites what does not touch without
 * looking at a facet, and the smallest first, in lots of a thousand: smaller ones only take its choice away.
 */
const AT_ONCE = 1024;

interface Part {
  readonly surface: Surface;
  readonly box: Box;
}

/**
 * What any of the surfaces encloses, as one surface, in single precision; bodies that do not touch stay apart. Each
 * surface must bound a solid: closed, facing outward, not passing through itself. Throws OPERATION_FAILED where one
 * does not.
 */
export async function union(surfaces: readonly Surface[], watch: Watch): Promise<Surface> {
  const kernel = await booleanKernel();
  const parts = surfaces.map((surface): Part => ({ surface, box: boxOf(surface.vertices) }));
  const whole = unionOfParts(kernel, parts, watch);
  try {
    return surfaceOf(whole);
  } finally {
    whole.delete();
  }
}

/** Halves are united first, so that a body meets only its neighbours until both have grown. */
function unionOfParts(kernel: BooleanKernel, parts: readonly Part[], watch: Watch): Manifold {
  watch.report(0);
  const unite = (solids: Manifold[]): Manifold => kernel.Manifold.union(solids);
  if (parts.length <= AT_ONCE)
    return combined(
      parts.map(
        ({ surface }) =>
          () =>
            solidOf(kernel, surface),
      ),
      unite,
    );
  const [near, far] = halvesOf(parts);
  const [first, second] = [watch.part(0, 0.4), watch.part(0.4, 0.8)];
  return combined([() => unionOfParts(kernel, near, first), () => unionOfParts(kernel, far, second)], unite);
}

/** Split in the middle of the axis along which their centres lie farthest apart. */
function halvesOf(parts: readonly Part[]): [near: readonly Part[], far: readonly Part[]] {
  const centres = new Map(parts.map((part) => [part, centreOf(part.box)]));
  const spread = sizeOf(boxOf(Float64Array.from([...centres.values()].flat())));
  const axis = spread.indexOf(Math.max(...spread));
  const sorted = parts.toSorted((a, b) => centres.get(a)![axis] - centres.get(b)![axis]);
  const middle = sorted.length >> 1;
  return [sorted.slice(0, middle), sorted.slice(middle)];
}
