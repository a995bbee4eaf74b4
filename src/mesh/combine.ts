import type { Surface } from "./mesh.ts";

/** Several surfaces, all in the same unit, as one; nothing is welded. */
export function combine(surfaces: readonly Surface[]): Surface {
  if (surfaces.length === 1) return surfaces[0]!;
  const total = (pick: (surface: Surface) => ArrayLike<number>): number =>
    surfaces.reduce((sum, surface) => sum + pick(surface).length, 0);
  const vertexValues = total(({ vertices }) => vertices);
  const areSingle = surfaces.every(({ vertices }) => vertices instanceof Float32Array);
  const vertices = areSingle ? new Float32Array(vertexValues) : new Float64Array(vertexValues);
  const triangles = new Uint32Array(total((surface) => surface.triangles));
  let vertexAt = 0;
  let cornerAt = 0;
  for (const surface of surfaces) {
    const firstVertex = vertexAt / 3;
    vertices.set(surface.vertices, vertexAt);
    vertexAt += surface.vertices.length;
    for (const corner of surface.triangles) triangles[cornerAt++] = corner + firstVertex;
  }
  return { vertices, triangles };
}
