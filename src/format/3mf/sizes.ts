import type { Refuse } from "../../core/fault.ts";
import type { Fault } from "../../core/fault.ts";
import { type Surface, triangleCount, vertexCount } from "../../mesh/mesh.ts";
import type { ModelObject, Placement } from "./model-part.ts";

/** How much an object holds, its components and theirs counted as often as they are placed. */
export interface Size {
  readonly vertices: number;
  readonly triangles: number;
}

const NOTHING: Surface = { vertices: new Float64Array(), triangles: new Uint32Array() };

/** Deeper nesting of components is refused. */
const MAX_LEVELS = 64;

/**
 * Tells the sizes of objects, looking at each once, however often it is placed. Throws for an object that is a
 * component of itself, and for components nested too deep.
 */
export function sizesOf(
  objectOf: (placement: Placement) => ModelObject,
  refuse: Refuse,
): (object: ModelObject) => Size {
  const known = new Map<ModelObject, Size & { readonly levels: number }>();
  const open = new Set<ModelObject>();

  const measure = (object: ModelObject): Size & { readonly levels: number } => {
    const size = known.get(object);
    if (size) return size;
    if (open.has(object)) throw refuse("an object is a component of itself; export it again");
    if (open.size === MAX_LEVELS) throw tooDeep();
    open.add(object);
    const { surface = NOTHING, components } = object;
    const inner = components.map((component) => measure(objectOf(component)));
    open.delete(object);
    const total = {
      vertices: inner.reduce((sum, { vertices }) => sum + vertices, vertexCount(surface)),
      triangles: inner.reduce((sum, { triangles }) => sum + triangles, triangleCount(surface)),
      levels: 1 + inner.reduce((most, { levels }) => Math.max(most, levels), 0),
    };
    if (total.levels > MAX_LEVELS) throw tooDeep();
    known.set(object, total);
    return total;
  };
  return measure;

  function tooDeep(): Fault {
    return refuse(`its components are nested deeper than ${MAX_LEVELS} levels; export it flattened`);
  }
}
