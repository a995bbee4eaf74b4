import type { Refuse } from "../../core/fault.ts";
import type { Watch } from "../../core/watch.ts";
import { type Surface, triangleCount, vertexCount } from "../../mesh/mesh.ts";
import type { FilePart } from "../reader.ts";
import type { ModelObject, ModelPart, Placement } from "./model-part.ts";
import { type Size, sizesOf } from "./sizes.ts";
import { compose, isMirror, type Transform, transformPoints } from "./transform.ts";

/** Vertices or triangles of all items together: components of components can ask for any number. */
const MAX_COUNT = 50_000_000;

/**
 * One part per item of the root's build: its object with all components in place. Items that are switched off or have
 * nothing to print are left out, but the indices count them. Throws where no item is left, and for objects that are
 * missing, nested too deep or too many.
 */
export function assemble(
  root: string,
  parts: ReadonlyMap<string, ModelPart>,
  refuse: Refuse,
  watch: Watch,
): FilePart[] {
  const sizeOf = sizesOf(objectOf, refuse);
  const items = parts.get(root)!.items
    .map((item, index) => ({ ...item, index }))
    .filter((item) => item.isPrintable && sizeOf(objectOf(item)).triangles > 0);
  const total = items.map((item) => countOf(sizeOf(objectOf(item)))).reduce((sum, count) => sum + count, 0);
  if (total === 0) throw refuse("its build has no triangles to print; export the model as a mesh");
  if (total > MAX_COUNT) throw refuse(`its build has over ${MAX_COUNT} triangles or vertices; export it coarser`);
  let done = 0;
  return items.map((item) => {
    const object = objectOf(item);
    return { index: item.index, name: object.name, surface: place(object, item.transform) };
  });

  function objectOf({ part, objectId }: Placement): ModelObject {
    const object = parts.get(part)!.objects.get(objectId);
    if (!object) throw refuse(`object ${objectId}, which it places, is missing in ${part}; export it again`);
    return object;
  }

  function place(whole: ModelObject, transform: Transform): Surface {
    const size = sizeOf(whole);
    const vertices = new Float64Array(3 * size.vertices);
    const triangles = new Uint32Array(3 * size.triangles);
    let vertexAt = 0;
    let cornerAt = 0;
    const draw = ({ surface, components }: ModelObject, placed: Transform): void => {
      if (surface) {
        watch.report(done / total);
        transformPoints(surface.vertices, placed, vertices, vertexAt);
        copyTriangles(surface.triangles, vertexAt / 3, isMirror(placed), triangles, cornerAt);
        vertexAt += surface.vertices.length;
        cornerAt += surface.triangles.length;
        done += countOf({ vertices: vertexCount(surface), triangles: triangleCount(surface) });
      }
      for (const component of components) {
        const object = objectOf(component);
        if (sizeOf(object).triangles > 0) draw(object, compose(component.transform, placed));
      }
    };
    draw(whole, transform);
    return { vertices, triangles };
  }
}

const countOf = ({ vertices, triangles }: Size): number => Math.max(vertices, triangles);

/** A mirrored body keeps its volume's sign (core specification, section 3.3): its triangles are turned round. */
function copyTriangles(from: Uint32Array, firstVertex: number, mirrored: boolean, to: Uint32Array, at: number): void {
  const [second, third] = mirrored ? [2, 1] : [1, 2];
  for (let i = 0; i < from.length; i += 3) {
    to[at + i] = firstVertex + from[i];
    to[at + i + 1] = firstVertex + from[i + second];
    to[at + i + 2] = firstVertex + from[i + third];
  }
}
