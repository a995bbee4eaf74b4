import type { Watch } from "../../core/watch.ts";
import { grown } from "../../mesh/grown.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { Welder } from "../../mesh/welder.ts";
import type { Source } from "../source.ts";
import { unreadable } from "../source.ts";
import { lineBlocks } from "../text/line-blocks.ts";
import { LineScanner, wordCode } from "../text/line-scanner.ts";

const SOLID = wordCode("solid");
const FACET = wordCode("facet");
const NORMAL = wordCode("normal");
const OUTER = wordCode("outer");
const LOOP = wordCode("loop");
const VERTEX = wordCode("vertex");
const END_LOOP = wordCode("endloop");
const END_FACET = wordCode("endfacet");
const END_SOLID = wordCode("endsolid");

const BATCH_FACETS = 4096;
const CORNER_FLOATS = 9;
/** Bytes that a facet takes in what terse programs write. */
const USUAL_FACET_BYTES = 160;

/** Where the reader stands: between solids, in one, or in a facet of one. */
type Place = "outside" | "solid" | "facet";

/**
 * Reads every solid of an ASCII STL file as one. Lines between solids do not matter, nor do normals, nor the end of the
 * last solid; a facet that is not of three corners is a fault with its line number.
 */
export function readAscii(source: Source, watch: Watch): { name?: string; surface: Surface } {
  const scanner = new LineScanner(source);
  const solids = new Solids(scanner, source.size / USUAL_FACET_BYTES);
  for (const block of lineBlocks(source, watch)) {
    scanner.open(block);
    while (!scanner.atBlockEnd()) {
      while (scanner.toWord()) solids.takeWord();
      scanner.toNextLine();
    }
  }
  const surface = solids.toSurface();
  if (surface.triangles.length === 0) throw unreadable(source, "it has no facets; export the model again");
  return { name: solids.name, surface };
}

/** What the words read so far amount to. */
class Solids {
  /** Of the first solid that has one. */
  name: string | undefined;
  private place: Place = "outside";
  /** Corners of the present facet. */
  private corners = 0;
  /** Corners of the facets that are not yet welded, the present one last. */
  private readonly points = new Float32Array(CORNER_FLOATS * BATCH_FACETS);
  private waiting = 0;
  private triangles = new Uint32Array(0);
  private facets = 0;
  private readonly welder: Welder;
  private readonly scanner: LineScanner;

  constructor(scanner: LineScanner, expectedFacets: number) {
    this.scanner = scanner;
    this.welder = new Welder(expectedFacets / 2);
  }

  toSurface(): Surface {
    if (this.place === "facet") throw this.scanner.refuse("the file ends in the middle of a facet");
    this.weldWaiting();
    return { vertices: this.welder.vertices(), triangles: this.triangles.slice(0, 3 * this.facets) };
  }

  /** Takes the word that the scanner stands at, and what belongs to it. */
  takeWord(): void {
    const start = this.scanner.at;
    const word = this.scanner.word();
    const isTaken = this.place === "facet" ? this.takeInFacet(word) : this.takeBetweenFacets(word);
    if (!isTaken) throw this.scanner.refuse(`${this.scanner.quote(start)} does not belong there in an STL file`);
  }

  private takeInFacet(word: number): boolean {
    switch (word) {
      case VERTEX:
        this.takeCorner();
        return true;
      case END_FACET:
        if (this.corners < 3) throw this.scanner.refuse(`a facet has ${this.corners} corners instead of 3`);
        this.place = "solid";
        if (++this.waiting === BATCH_FACETS) this.weldWaiting();
        return true;
      case NORMAL:
        this.skipNormal();
        return true;
      default:
        return word === OUTER || word === LOOP || word === END_LOOP;
    }
  }

  private takeBetweenFacets(word: number): boolean {
    if (word === FACET) {
      this.place = "facet";
      this.corners = 0;
    } else if (word === SOLID) {
      this.place = "solid";
      const name = this.scanner.name();
      this.name ??= name;
    } else if (word === END_SOLID || this.place === "outside") {
      this.place = "outside";
      this.scanner.name();
    } else return false;
    return true;
  }

  private takeCorner(): void {
    if (this.corners === 3) throw this.scanner.refuse("a facet has more than 3 corners");
    const at = CORNER_FLOATS * this.waiting + 3 * this.corners++;
    this.points[at] = this.scanner.single();
    this.points[at + 1] = this.scanner.single();
    this.points[at + 2] = this.scanner.single();
  }

  /** Normals follow from the corners; some programs write "nan" for them. */
  private skipNormal(): void {
    for (let i = 0; i < 3 && this.scanner.toWord(); i++) this.scanner.skipWord();
  }

  private weldWaiting(): void {
    this.triangles = grown(this.triangles, 3 * (this.facets + this.waiting));
    this.welder.add(this.points, 3 * this.waiting, this.triangles, 3 * this.facets);
    this.facets += this.waiting;
    this.waiting = 0;
  }
}
