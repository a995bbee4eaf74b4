import type { ErrorFactory } from "../../core/api-error.ts";
import { toSharedMemory } from "../../core/typed-arrays.ts";
import { type Transform, compose, determinant, isMirror, transformPoints } from "../../geometry/transform.ts";
import { type Surface, flipFacets } from "../../mesh/mesh.ts";
import type { FileLattice } from "../model-reader.ts";
import type { ModelObject, Placement } from "./model-part.ts";

/**
 * The lattices of an object and its components, placed by `transform`. Their arrays are in shared memory. `objectOf` finds the object of a
 * placement; `hasLattices`: whether it or one of its components has any. Throws for a clipping mesh that is not in the file, and for a transform that makes a lattice flat.
 */
export function placeLattices(
  placement: Placement,
  objectOf: (placement: Placement) => ModelObject,
  hasLattices: (object: ModelObject) => boolean,
  refuse: ErrorFactory,
): FileLattice[] {
  const placed: FileLattice[] = [];
  const known = new Map<ModelObject, Omit<FileLattice, "transform" | "clip">>();
  const visit = (one: Placement, transform: Transform): void => {
    const object = objectOf(one);
    if (!hasLattices(object)) return;
    const { lattice, latticeVertices, components } = object;
    if (lattice && latticeVertices) {
      if (determinant(transform) === 0) throw refuse(`it places the lattice of ${object.label} flat; export it again`);
      let arrays = known.get(object);
      if (!arrays) {
        arrays = {
          vertices: toSharedMemory(Float32Array.from(latticeVertices)),
          struts: toSharedMemory(lattice.beams),
          radii: toSharedMemory(lattice.radii),
          caps: toSharedMemory(lattice.caps),
          balls: toSharedMemory(lattice.balls),
          ballRadii: toSharedMemory(lattice.ballRadii),
        };
        known.set(object, arrays);
      }
      const clip = lattice.clip && {
        keeps: lattice.clip.keeps,
        surface: clipSurface(objectOf({ ...one, objectId: lattice.clip.objectId }), object, transform, refuse),
      };
      placed.push({ ...arrays, transform, ...(clip && { clip }) });
    }
    for (const component of components) visit(component, compose(component.transform, transform));
  };
  visit(placement, placement.transform);
  return placed;
}

function clipSurface(solid: ModelObject, clipped: ModelObject, transform: Transform, refuse: ErrorFactory): Surface {
  const { surface, lattice, type, label } = solid;
  if (!surface || lattice || type !== "model") {
    throw refuse(
      `the clipping mesh ${label} of the lattice of ${clipped.label} is no mesh of type "model" without a lattice; export it again`,
    );
  }
  const vertices = new Float64Array(surface.vertices.length);
  transformPoints(surface.vertices, transform, vertices, 0);
  // The reader releases the arrays of the surface.
  return flipFacets({ vertices, triangles: surface.triangles.slice() }, () => isMirror(transform));
}
