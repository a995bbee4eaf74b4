import type { Watch } from "../../core/watch.ts";
import { grown } from "../../mesh/grown.ts";
import type { Surface } from "../../mesh/mesh.ts";
import type { Source } from "../source.ts";
import { unreadable } from "../source.ts";
import { lineBlocks } from "../text/line-blocks.ts";
import { LineScanner, wordCode } from "../text/line-scanner.ts";
import { triangulatePolygon } from "./triangulate-polygon.ts";

const VERTEX = wordCode("v");
const FACE = wordCode("f");
const OBJECT = wordCode("o");
const HASH = 0x23;
/** Polygons wait until every vertex is known; triangulating them takes the last of the progress. */
const PARSE_SHARE = 0.9;
const WATCH_STEPS = 65_536;

export function parseObj(source: Source, watch: Watch): { name?: string; surface: Surface } {
  const scanner = new LineScanner(source);
  const lines = new ObjLines(scanner);
  for (const block of lineBlocks(source, watch.part(0, PARSE_SHARE))) {
    scanner.open(block);
    while (!scanner.atBlockEnd()) {
      if (scanner.toWord()) lines.take();
      scanner.toNextLine();
    }
  }
  const surface = lines.toSurface(watch.part(PARSE_SHARE, 1));
  if (surface.triangles.length === 0) {
    throw unreadable(source, "it has no faces, or is not an OBJ file; export the model again as a mesh");
  }
  return { name: lines.name, surface };
}

/** What the lines read so far amount to. */
class ObjLines {
  /** Of the first object that has one. */
  name: string | undefined;
  private vertices = new Float32Array(0);
  private vertexCount = 0;
  private triangles = new Uint32Array(0);
  private triangleCount = 0;
  /** Each face of more than three corners: their number, then their vertices. */
  private polygons = new Uint32Array(0);
  private polygonsLength = 0;
  private corners = new Uint32Array(8);
  /** The highest vertex a face uses, and that face's line: it may come before its vertices. */
  private highest = -1;
  private highestLine = 0;
  private readonly scanner: LineScanner;

  constructor(scanner: LineScanner) {
    this.scanner = scanner;
  }

  /** Takes the line whose first word the scanner stands at. */
  take(): void {
    switch (this.scanner.word()) {
      case VERTEX:
        return this.takeVertex();
      case FACE:
        return this.takeFace();
      case OBJECT:
        this.name ??= this.scanner.name();
    }
  }

  toSurface(watch: Watch): Surface {
    if (this.highest >= this.vertexCount) {
      const why = `a face uses vertex ${this.highest + 1}, but the file has ${this.vertexCount}`;
      throw this.scanner.refuse(why, this.highestLine);
    }
    this.triangulatePolygons(watch);
    return {
      vertices: this.vertices.slice(0, 3 * this.vertexCount),
      triangles: this.triangles.slice(0, 3 * this.triangleCount),
    };
  }

  /** What may follow x, y, z (a weight or a colour) does not matter. */
  private takeVertex(): void {
    const at = 3 * this.vertexCount++;
    this.vertices = grown(this.vertices, at + 3);
    this.vertices[at] = this.scanner.single();
    this.vertices[at + 1] = this.scanner.single();
    this.vertices[at + 2] = this.scanner.single();
  }

  private takeFace(): void {
    let count = 0;
    while (this.scanner.toWord() && this.scanner.bytes[this.scanner.at] !== HASH) {
      this.corners = grown(this.corners, count + 1);
      this.corners[count++] = this.vertexIndex();
    }
    if (count < 3) throw this.scanner.refuse(`a face has ${count} corners instead of at least 3`);
    if (count === 3) return this.addTriangle(this.corners[0], this.corners[1], this.corners[2]);
    this.polygons = grown(this.polygons, this.polygonsLength + count + 1);
    this.polygons[this.polygonsLength++] = count;
    for (let i = 0; i < count; i++) this.polygons[this.polygonsLength++] = this.corners[i];
  }

  /** The vertex of a corner, which is written as vertex, vertex/texture, vertex//normal or vertex/texture/normal. */
  private vertexIndex(): number {
    const start = this.scanner.at;
    const number = this.scanner.integer();
    this.scanner.skipWord();
    const index = number < 0 ? this.vertexCount + number : number - 1;
    if (!(index >= 0)) throw this.scanner.refuse(`${this.scanner.quote(start)} in a face names no vertex`);
    if (index > this.highest) {
      this.highest = index;
      this.highestLine = this.scanner.line;
    }
    return index;
  }

  private addTriangle(a: number, b: number, c: number): void {
    const at = 3 * this.triangleCount++;
    this.triangles = grown(this.triangles, at + 3);
    this.triangles[at] = a;
    this.triangles[at + 1] = b;
    this.triangles[at + 2] = c;
  }

  private triangulatePolygons(watch: Watch): void {
    let nextReport = WATCH_STEPS;
    for (let at = 0; at < this.polygonsLength;) {
      const count = this.polygons[at];
      const polygon = this.polygons.subarray(at + 1, at + 1 + count);
      at += 1 + count;
      const poll = (): void => watch.report(at / this.polygonsLength);
      const parts = triangulatePolygon(this.placesOf(polygon), poll);
      for (let i = 0; i < parts.length; i += 3) {
        this.addTriangle(polygon[parts[i]], polygon[parts[i + 1]], polygon[parts[i + 2]]);
      }
      if (at >= nextReport) {
        poll();
        nextReport = at + WATCH_STEPS;
      }
    }
  }

  private placesOf(polygon: Uint32Array): Float32Array {
    const places = new Float32Array(3 * polygon.length);
    for (let i = 0; i < places.length; i++) places[i] = this.vertices[3 * polygon[Math.floor(i / 3)] + (i % 3)];
    return places;
  }
}
