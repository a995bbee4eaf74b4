import type { Progress } from "../core/progress.ts";
import { growArray, releaseArrays, shrinkArray } from "../core/typed-arrays.ts";
import { ORIGIN, type Vec3 } from "../geometry/vector.ts";
import type { Surface } from "../mesh/mesh.ts";
import type { ModelSize } from "./model-size.ts";
import { triangulatePolygon } from "./triangulate-polygon.ts";

const REPORT_INTERVAL = 65_536;

/** Collects vertices and faces of any number of corners, in formats that list both. A face may name vertices that come after it. */
export class PolygonCollector {
  vertexCount = 0;
  #vertices = new Float32Array(0);
  #triangles = new Uint32Array(0);
  #triangleCount = 0;
  /** For each face of more than three corners their number, then their vertices. */
  #polygons = new Uint32Array(0);
  #polygonsLength = 0;
  readonly #origin: Vec3;

  /** `origin` is subtracted from each vertex, before it is rounded to single precision. */
  constructor(origin: Vec3 = ORIGIN) {
    this.#origin = origin;
  }

  addVertex(x: number, y: number, z: number): void {
    const at = 3 * this.vertexCount++;
    this.#vertices = growArray(this.#vertices, at + 3);
    this.#vertices[at] = x - this.#origin[0];
    this.#vertices[at + 1] = y - this.#origin[1];
    this.#vertices[at + 2] = z - this.#origin[2];
  }

  /** Adds the face of the first `count` corners, at least 3. */
  addFace(corners: Uint32Array | Float64Array, count: number): void {
    if (count === 3) return this.addTriangle(corners[0], corners[1], corners[2]);
    this.#polygons = growArray(this.#polygons, this.#polygonsLength + count + 1);
    this.#polygons[this.#polygonsLength++] = count;
    for (let i = 0; i < count; i++) this.#polygons[this.#polygonsLength++] = corners[i];
  }

  addTriangle(a: number, b: number, c: number): void {
    const at = 3 * this.#triangleCount++;
    this.#triangles = growArray(this.#triangles, at + 3);
    this.#triangles[at] = a;
    this.#triangles[at + 1] = b;
    this.#triangles[at + 2] = c;
  }

  /** A polygon yields two facets fewer than it has corners. */
  get size(): ModelSize {
    return { facets: this.#triangleCount + this.#polygonsLength, vertices: this.vertexCount, parts: 1 };
  }

  /** The faces as triangles. Every vertex that they name must have been added. Nothing can be added afterwards. */
  toSurface(progress: Progress): Surface {
    this.#triangulatePolygons(progress);
    releaseArrays(this.#polygons);
    return {
      vertices: shrinkArray(this.#vertices, 3 * this.vertexCount),
      triangles: shrinkArray(this.#triangles, 3 * this.#triangleCount),
    };
  }

  #triangulatePolygons(progress: Progress): void {
    let nextReport = REPORT_INTERVAL;
    for (let at = 0; at < this.#polygonsLength;) {
      const count = this.#polygons[at];
      const polygon = this.#polygons.subarray(at + 1, at + 1 + count);
      at += 1 + count;
      const poll = (): void => progress.report(at / this.#polygonsLength);
      const corners = triangulatePolygon(this.#positionsOf(polygon), poll);
      for (let i = 0; i < corners.length; i += 3) {
        this.addTriangle(polygon[corners[i]], polygon[corners[i + 1]], polygon[corners[i + 2]]);
      }
      if (at >= nextReport) {
        poll();
        nextReport = at + REPORT_INTERVAL;
      }
    }
  }

  #positionsOf(polygon: Uint32Array): Float32Array {
    const positions = new Float32Array(3 * polygon.length);
    for (let i = 0; i < positions.length; i++) positions[i] = this.#vertices[3 * polygon[Math.floor(i / 3)] + (i % 3)];
    return positions;
  }
}
