import type { Manifold } from "manifold-3d";
import { operationFailed } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { type Box, boxCentre, boxOf, boxSize } from "../geometry/box.ts";
import {
  type ManifoldModule,
  deleteAll,
  interruptible,
  loadManifold,
  releaseLargeInstance,
} from "../geometry/manifold.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { type Surface, triangleCount } from "./mesh.ts";

/**
 * The most bodies in one call of the kernel, few enough to report progress between calls. The kernel combines bodies that do not touch
 * without reading their facets, and others smallest first in batches of a thousand: smaller batches here would only restrict its
 * choice.
 */
const BATCH_SIZE = 1024;

interface BoxedSurface {
  readonly surface: Surface;
  readonly box: Box;
}

/**
 * The union of solids as one surface, in single precision; bodies that do not touch stay separate. At most
 * `batchSize` of them are united at once. Each surface must bound a solid: closed, facing outward, without
 * self-intersections. Throws OPERATION_FAILED if one does not.
 */
export async function union(
  surfaces: readonly Surface[],
  progress: Progress,
  batchSize = BATCH_SIZE,
): Promise<Surface> {
  const kernel = await loadManifold();
  const parts = surfaces.map((surface): BoxedSurface => ({ surface, box: boxOf(surface.vertices) }));
  return fromManifold(kernel, unionOfHalves(kernel, parts, batchSize, progress));
}

/** Unites each half first, so that a body meets only its neighbours until both have grown. */
function unionOfHalves(
  kernel: ManifoldModule,
  parts: readonly BoxedSurface[],
  batchSize: number,
  progress: Progress,
): Manifold {
  progress.report(0);
  const unite = (solids: Manifold[]): Manifold => kernel.Manifold.union(solids);
  if (parts.length <= batchSize) {
    const makers = parts.map((part) => () => toManifold(kernel, part.surface));
    return combineManifolds(kernel, makers, unite, progress);
  }
  const [near, far] = splitInHalves(parts);
  const [first, second] = [progress.part(0, 0.4), progress.part(0.4, 0.8)];
  const halves = [
    () => unionOfHalves(kernel, near, batchSize, first),
    () => unionOfHalves(kernel, far, batchSize, second),
  ];
  return combineManifolds(kernel, halves, unite, progress.part(0.8, 1));
}

/** Splits the bodies at the median along the axis with the largest extent of their centres. */
function splitInHalves(parts: readonly BoxedSurface[]): [near: readonly BoxedSurface[], far: readonly BoxedSurface[]] {
  const centred = parts.map((part) => ({ part, centre: boxCentre(part.box) }));
  const spread = boxSize(boxOf(Float64Array.from(centred.flatMap(({ centre }) => centre))));
  const axis = spread.indexOf(Math.max(...spread));
  const sorted = centred.sort((a, b) => a.centre[axis] - b.centre[axis]).map(({ part }) => part);
  const middle = sorted.length >> 1;
  return [sorted.slice(0, middle), sorted.slice(middle)];
}

/** The first solid minus the tools; no facets if nothing is left. Surfaces and errors as for {@link union}. */
export const difference = (surface: Surface, tools: readonly Surface[], progress: Progress): Promise<Surface> =>
  combineSurfaces([surface, ...tools], ({ Manifold }, solids) => Manifold.difference(solids), progress);

/** The intersection of two solids; no facets if they are apart. Surfaces and errors as for {@link union}. */
export const intersection = (a: Surface, b: Surface, progress: Progress): Promise<Surface> =>
  combineSurfaces([a, b], ({ Manifold }, solids) => Manifold.intersection(solids), progress);

/**
 * The parts of a solid on both sides of the plane of points p with p · `normal` = `offsetMm`: first the one towards which the unit normal
 * points. A part without facets is empty. Surfaces and errors as for {@link union}.
 */
export async function splitByPlane(
  surface: Surface,
  normal: Vec3,
  offsetMm: number,
  progress: Progress,
): Promise<[above: Surface, below: Surface]> {
  const kernel = await loadManifold();
  const solid = toManifold(kernel, surface);
  try {
    const [above, below] = interruptible(kernel, progress, () => {
      const parts = solid.splitByPlane([...normal], offsetMm);
      for (const part of parts) part.status();
      return parts;
    });
    return [fromManifold(kernel, above), fromManifold(kernel, below)];
  } finally {
    deleteAll(kernel, [solid]);
  }
}

async function combineSurfaces(
  surfaces: readonly Surface[],
  combine: (kernel: ManifoldModule, solids: Manifold[]) => Manifold,
  progress: Progress,
): Promise<Surface> {
  const kernel = await loadManifold();
  const makers = surfaces.map((surface) => () => toManifold(kernel, surface));
  return fromManifold(
    kernel,
    combineManifolds(kernel, makers, (solids) => combine(kernel, solids), progress),
  );
}

/** The result of `combine`, which the caller deletes; the solids of `makers` are deleted here. */
function combineManifolds(
  kernel: ManifoldModule,
  makers: readonly (() => Manifold)[],
  combine: (solids: Manifold[]) => Manifold,
  progress: Progress,
): Manifold {
  const solids: Manifold[] = [];
  try {
    for (const make of makers) solids.push(make());
    return interruptible(kernel, progress, () => {
      const result = combine(solids);
      // The kernel evaluates lazily: this forces it to compute while the solids exist.
      result.status();
      return result;
    });
  } finally {
    deleteAll(kernel, solids);
  }
}

/**
 * The surface as a solid of the kernel, with vertices in single precision; the caller deletes it. Throws
 * OPERATION_FAILED if the surface does not bound a solid.
 */
export function toManifold({ Manifold, Mesh }: ManifoldModule, surface: Surface): Manifold {
  const { vertices, triangles } = surface;
  const vertProperties = vertices instanceof Float32Array ? vertices : Float32Array.from(vertices);
  try {
    return Manifold.ofMesh(new Mesh({ numProp: 3, vertProperties, triVerts: triangles }));
  } catch (thrown) {
    // The messages of the kernel are its status words.
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw operationFailed(
      `A body of ${triangleCount(surface)} facets does not bound a solid (${why}). Repair the model and try again.`,
    );
  }
}

/** The boundary of a solid of the kernel, which is deleted. Throws OPERATION_FAILED if the operation failed. */
function fromManifold(kernel: ManifoldModule, solid: Manifold): Surface {
  try {
    const status = solid.status();
    if (status !== "NoError") {
      throw operationFailed(
        `The bodies could not be combined (${status}). Repair or simplify the models and try again.`,
      );
    }
    const { numProp, vertProperties, triVerts } = solid.getMesh();
    if (numProp !== 3) throw new Error(`${numProp} values for each vertex of a solid that has only positions`);
    // Copies, because these are views of the kernel's memory.
    return { vertices: vertProperties.slice(), triangles: triVerts.slice() };
  } finally {
    deleteAll(kernel, [solid]);
    releaseLargeInstance();
  }
}
