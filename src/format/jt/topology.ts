import type { ErrorFactory } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { growArray, releaseArrays } from "../../core/typed-arrays.ts";
import { type PacketSource, readPacket } from "./int32-packet.ts";

// The topology of a mesh of JT 9 and 10, coded by its dual (ISO 14306:2012, annex E, "Polygon mesh topology coder"; C. Touma, C.
// Gotsman, "Triangle mesh compression", 1998). A polygon of the mesh is a vertex of the dual, a vertex of the mesh is a face of the
// dual: its ring of polygons.

/** Contexts for the number of polygons around a vertex, chosen by the known corners of the polygon from which it is reached. */
const CONTEXTS = 8;
/** Number of most recent vertices among which the next one to complete is chosen. */
const RECENT = 16;
const NONE = -1;
const VERTICES_PER_REPORT = 4096;

/** The packets of a topology. Attributes of corners are not needed. */
interface CodedTopology {
  /** Numbers of polygons around vertices, by context; 0 for a vertex that occurred before. */
  readonly degrees: readonly Int32Array[];
  /** Numbers of corners of polygons, and the group of each; polygons of negative groups only close the mesh. */
  readonly valences: Int32Array;
  readonly groups: Int32Array;
  /** Which earlier vertex is meant, counted back from the last one, and the slot in its ring. */
  readonly splitVertices: Int32Array;
  readonly splitSlots: Int32Array;
}

/** The polygons of a mesh, also those that only close it. */
export interface PolygonList {
  /** The vertices of polygon p are `corners[starts[p]]` … `corners[starts[p + 1] - 1]`. */
  readonly corners: Int32Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly vertexCount: number;
}

/** Reads the packets of a topology, and its hash. */
export function readTopology(source: PacketSource): CodedTopology {
  const { reader, version } = source;
  const degrees = Array.from({ length: CONTEXTS }, () => readPacket(source));
  const valences = readPacket(source);
  const groups = readPacket(source);
  readPacket(source, "lag1"); // flags of polygons
  for (let i = 0; i < CONTEXTS; i++) readPacket(source); // flags for corners with separate attributes, 30 bits each
  readPacket(source); // the next 30 bits of the last list
  if (version < 10) readPacket(source); // its other bits
  reader.skip(4 * reader.u32()); // the bits of vertices with more than 64 polygons
  const splitVertices = readPacket(source, "lag1");
  const splitSlots = readPacket(source);
  reader.skip(4); // hash
  return { degrees, valences, groups, splitVertices, splitSlots };
}

/** Lists of numbers in one array: list i is `values[starts[i]]` … `values[starts[i + 1] - 1]`. NONE marks unknown values. */
class Lists {
  count = 0;
  readonly starts: Uint32Array<ArrayBuffer>;
  values: Int32Array<ArrayBuffer>;

  constructor(mostLists: number, usualLength: number) {
    this.starts = new Uint32Array(mostLists + 1);
    this.values = new Int32Array(usualLength);
  }

  add(length: number): number {
    const from = this.starts[this.count];
    this.values = growArray(this.values, from + length);
    this.values.fill(NONE, from, from + length);
    this.starts[++this.count] = from + length;
    return this.count - 1;
  }

  lengthOf(list: number): number {
    return this.starts[list + 1] - this.starts[list];
  }

  /** Index of a value in its list, from an index on; -1 if it is missing. */
  indexOf(list: number, value: number, from = 0): number {
    const start = this.starts[list];
    const end = this.starts[list + 1];
    for (let at = start + from; at < end; at++) if (this.values[at] === value) return at - start;
    return -1;
  }
}

/** The polygons of a coded topology. Throws the error of `refuse` if the topology is inconsistent. */
export const decodeTopology = (coded: CodedTopology, refuse: ErrorFactory, progress: Progress): PolygonList =>
  new TopologyDecoder(coded, refuse).decode(progress);

class TopologyDecoder {
  readonly #coded: CodedTopology;
  readonly #refuse: ErrorFactory;
  readonly #nextDegree = new Uint32Array(CONTEXTS);
  /** Corners of each polygon. With triangles only, these and all rings have three numbers per polygon. */
  readonly #corners: Lists;
  /** Polygons around each vertex. */
  readonly #rings: Lists;
  /** Number of empty slots of each ring. */
  readonly #empty: Int32Array;
  /** Vertices whose rings are not full, in the order of their first occurrence. */
  #active: number[] = [];
  #nextSplit = 0;
  /** Slots that new rings may still have: all rings together have as many as all polygons have corners. */
  #slotsLeft: number;

  constructor(coded: CodedTopology, refuse: ErrorFactory) {
    const { degrees, valences } = coded;
    const mostVertices = degrees.reduce((sum, { length }) => sum + length, 0);
    this.#coded = coded;
    this.#refuse = refuse;
    this.#corners = new Lists(valences.length, 3 * valences.length);
    this.#rings = new Lists(mostVertices, 3 * valences.length);
    this.#empty = new Int32Array(mostVertices);
    this.#slotsLeft = valences.reduce((sum, valence) => sum + valence, 0);
  }

  decode(progress: Progress): PolygonList {
    const [corners, rings, { length }] = [this.#corners, this.#rings, this.#coded.valences];
    while (corners.count < length) {
      this.#active = [];
      this.#complete(this.#newPolygon());
      for (let vertex = this.#nextActive(); vertex !== undefined; vertex = this.#nextActive()) {
        if (vertex % VERTICES_PER_REPORT === 0) progress.report(corners.count / length);
        this.#fillRing(vertex);
      }
    }
    releaseArrays(rings.values, rings.starts);
    return { corners: corners.values, starts: corners.starts, vertexCount: rings.count };
  }

  #damaged(): Error {
    return this.#refuse("the topology of a mesh in it is damaged; export it again");
  }

  #newPolygon(): number {
    const valence = this.#coded.valences[this.#corners.count];
    if (!(valence >= 3)) throw this.#damaged();
    return this.#corners.add(valence);
  }

  /** Adds a polygon for each empty slot of the ring of a vertex. */
  #fillRing(vertex: number): void {
    const rings = this.#rings;
    for (let slot = rings.indexOf(vertex, NONE); slot >= 0; slot = rings.indexOf(vertex, NONE, slot + 1)) {
      const polygon = this.#newPolygon();
      this.#place(polygon, 0, vertex, slot);
      this.#placeShared(polygon, 0, slot, 1);
      this.#placeShared(polygon, 0, slot, -1);
      this.#complete(polygon);
    }
  }

  /** Finds all unknown corners of a polygon. */
  #complete(polygon: number): void {
    const corners = this.#corners;
    for (let corner = 0; corner < corners.lengthOf(polygon); corner++) {
      if (corners.values[corners.starts[polygon] + corner] === NONE) this.#activate(polygon, corner);
    }
  }

  #contextOf(polygon: number): number {
    const corners = this.#corners;
    const rings = this.#rings;
    const length = corners.lengthOf(polygon);
    if (length > 4) return length === 5 ? 6 : 7;
    let known = 0;
    let sum = 0;
    for (let at = corners.starts[polygon]; at < corners.starts[polygon + 1]; at++) {
      const vertex = corners.values[at];
      if (vertex === NONE) continue;
      known++;
      sum += rings.lengthOf(vertex);
    }
    const usual = length === 3 ? 6 : 4;
    return (length === 3 ? 0 : 3) + 1 + Math.sign(sum - usual * known);
  }

  /** Finds the vertex at a corner: a new one, or one that occurred before. */
  #activate(polygon: number, corner: number): void {
    const { degrees, splitVertices, splitSlots } = this.#coded;
    const rings = this.#rings;
    const context = this.#contextOf(polygon);
    const at = this.#nextDegree[context]++;
    if (at >= degrees[context].length) throw this.#damaged();
    const degree = degrees[context][at];
    if (degree !== 0) {
      if (!(degree >= 1 && degree <= this.#slotsLeft)) throw this.#damaged();
      this.#slotsLeft -= degree;
      const vertex = rings.add(degree);
      this.#empty[vertex] = degree;
      this.#active.push(vertex);
      this.#place(polygon, corner, vertex, 0);
      return;
    }
    const back = splitVertices[this.#nextSplit];
    const slot = splitSlots[this.#nextSplit++];
    const vertex = this.#active[this.#active.length - back];
    if (vertex === undefined || !(slot >= 0 && slot < rings.lengthOf(vertex))) throw this.#damaged();
    if (rings.values[rings.starts[vertex] + slot] !== NONE) throw this.#damaged();
    this.#place(polygon, corner, vertex, slot);
  }

  /** Puts a vertex at a corner of a polygon, and the polygon in a slot of its ring. */
  #place(polygon: number, corner: number, vertex: number, slot: number): void {
    this.#corners.values[this.#corners.starts[polygon] + corner] = vertex;
    this.#rings.values[this.#rings.starts[vertex] + slot] = polygon;
    this.#empty[vertex]--;
  }

  /**
   * Places the vertices, from a corner on, that the polygon shares with its neighbours: the adjacent polygon in the ring of a vertex has
   * the same next vertex, in whose ring the two polygons are adjacent as well.
   */
  #placeShared(polygon: number, from: number, fromSlot: number, step: 1 | -1): void {
    const corners = this.#corners;
    const rings = this.#rings;
    const own = corners.starts[polygon];
    const length = corners.lengthOf(polygon);
    let corner = from;
    let slot = fromSlot;
    for (;;) {
      const here = corners.values[own + corner];
      const neighbour = rings.values[rings.starts[here] + wrapped(slot - step, rings.lengthOf(here))];
      if (neighbour === NONE || neighbour === polygon) return;
      const shared = corners.indexOf(neighbour, here);
      const vertex = corners.values[corners.starts[neighbour] + wrapped(shared - step, corners.lengthOf(neighbour))];
      if (vertex === NONE) return;
      const next = wrapped(corner + step, length);
      if (corners.values[own + next] !== NONE) return;
      const nextSlot = wrapped(rings.indexOf(vertex, neighbour) - step, rings.lengthOf(vertex));
      if (rings.values[rings.starts[vertex] + nextSlot] !== NONE) throw this.#damaged();
      this.#place(polygon, next, vertex, nextSlot);
      corner = next;
      slot = nextSlot;
    }
  }

  /** The vertex with the fewest empty slots among the most recent vertices whose rings are not full; undefined if all are full. */
  #nextActive(): number | undefined {
    const active = this.#active;
    const empty = this.#empty;
    let best: number | undefined;
    let seen = 0;
    for (let i = active.length - 1; i >= 0 && seen < RECENT; i--) {
      const vertex = active[i];
      if (empty[vertex] === 0) {
        // `splice` would allocate a list for each vertex; only the last few move.
        active.copyWithin(i, i + 1);
        active.pop();
        continue;
      }
      seen++;
      if (best === undefined || empty[vertex] < empty[best]) best = vertex;
    }
    return best;
  }
}

const wrapped = (index: number, length: number): number =>
  index < 0 ? index + length : index >= length ? index - length : index;
