import type { ErrorFactory } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { growArray, releaseArrays } from "../../core/typed-arrays.ts";
import { type PacketSource, readPacket } from "./int32-packet.ts";

// The topology of a mesh of JT 9 and 10, coded by its dual (ISO 14306:2012, annex E, "Polygon mesh topology coder"; C. Touma, C. Gotsman,
// "Triangle mesh compression", 1998). A polygon of the mesh is a vertex of the dual, a vertex of the mesh a face of it: its ring of polygons.

/** Contexts for the number of polygons around a vertex, by what is known of the polygon from which it is reached. */
const CONTEXTS = 8;
/** Vertices around which polygons are missing are looked at among so many of the last ones. */
const RECENT = 16;
const NONE = -1;
const VERTICES_PER_REPORT = 4096;

/** The packets of a topology. Attributes of corners are not needed. */
interface CodedTopology {
  /** Numbers of polygons around vertices, by context; 0 for a vertex that was met before. */
  readonly degrees: readonly Int32Array[];
  /** Numbers of corners of polygons, and the group of each: a negative one only closes the mesh. */
  readonly valences: Int32Array;
  readonly groups: Int32Array;
  /** Which vertex was met before, counted back from the last one, and the place in its ring. */
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
  for (let i = 0; i < CONTEXTS; i++) readPacket(source); // which corners have attributes of their own, 30 bits of each
  readPacket(source); // the next 30 bits of the last list
  if (version < 10) readPacket(source); // its other bits
  reader.skip(4 * reader.u32()); // the bits of vertices with more than 64 polygons
  const splitVertices = readPacket(source, "lag1");
  const splitSlots = readPacket(source);
  reader.skip(4); // hash
  return { degrees, valences, groups, splitVertices, splitSlots };
}

/** Lists of numbers one after the other: list i is `values[starts[i]]` … `values[starts[i + 1] - 1]`. NONE stands for what is not known yet. */
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

  /** Where in its list a value first stands, from a place in it on; -1 where it does not. */
  indexOf(list: number, value: number, from = 0): number {
    const start = this.starts[list];
    const end = this.starts[list + 1];
    for (let at = start + from; at < end; at++) if (this.values[at] === value) return at - start;
    return -1;
  }
}

/** The polygons of a coded topology. Throws what `refuse` makes where it contradicts itself. */
export function decodeTopology(coded: CodedTopology, refuse: ErrorFactory, progress: Progress): PolygonList {
  const { degrees, valences, splitVertices, splitSlots } = coded;
  const damaged = (): Error => refuse("the topology of a mesh in it is damaged; export it again");
  const nextDegree = new Uint32Array(CONTEXTS);
  const mostVertices = degrees.reduce((sum, { length }) => sum + length, 0);
  /** Corners of each polygon, and polygons around each vertex. Both have as many numbers in all, of triangles three each. */
  const corners = new Lists(valences.length, 3 * valences.length);
  const rings = new Lists(mostVertices, 3 * valences.length);
  /** Slots of each ring that are not filled. */
  const empty = new Int32Array(mostVertices);
  /** Vertices whose rings are not filled, in the order in which they were met. */
  let active: number[] = [];
  let nextSplit = 0;
  // All rings together have as many slots as all polygons have corners.
  let slotsLeft = valences.reduce((sum, valence) => sum + valence, 0);

  function newPolygon(): number {
    const valence = valences[corners.count];
    if (!(valence >= 3)) throw damaged();
    return corners.add(valence);
  }

  function contextOf(polygon: number): number {
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

  /** Finds the vertex at a corner: a new one, or one that was met before. */
  function activate(polygon: number, corner: number): void {
    const context = contextOf(polygon);
    const at = nextDegree[context]++;
    if (at >= degrees[context].length) throw damaged();
    const degree = degrees[context][at];
    if (degree !== 0) {
      if (!(degree >= 1 && degree <= slotsLeft)) throw damaged();
      slotsLeft -= degree;
      const vertex = rings.add(degree);
      empty[vertex] = degree;
      active.push(vertex);
      place(polygon, corner, vertex, 0);
      return;
    }
    const back = splitVertices[nextSplit];
    const slot = splitSlots[nextSplit++];
    const vertex = active[active.length - back];
    if (vertex === undefined || !(slot >= 0 && slot < rings.lengthOf(vertex))) throw damaged();
    if (rings.values[rings.starts[vertex] + slot] !== NONE) throw damaged();
    place(polygon, corner, vertex, slot);
  }

  /** Puts a vertex at a corner of a polygon, and the polygon in a slot of its ring. */
  function place(polygon: number, corner: number, vertex: number, slot: number): void {
    corners.values[corners.starts[polygon] + corner] = vertex;
    rings.values[rings.starts[vertex] + slot] = polygon;
    empty[vertex]--;
  }

  /**
   * From a corner on, places the vertices that the polygon has in common with its neighbours: the polygon beside it in the ring of a vertex
   * has the same next vertex, in whose ring the two stand beside each other too.
   */
  function walk(polygon: number, from: number, fromSlot: number, step: 1 | -1): void {
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
      if (rings.values[rings.starts[vertex] + nextSlot] !== NONE) throw damaged();
      place(polygon, next, vertex, nextSlot);
      corner = next;
      slot = nextSlot;
    }
  }

  /** Finds all corners of a polygon that are not known. */
  function complete(polygon: number): void {
    for (let corner = 0; corner < corners.lengthOf(polygon); corner++) {
      if (corners.values[corners.starts[polygon] + corner] === NONE) activate(polygon, corner);
    }
  }

  /** Of the last vertices whose rings are not filled, that with the fewest empty slots; undefined where all are filled. */
  function nextActive(): number | undefined {
    let best: number | undefined;
    let looked = 0;
    for (let i = active.length - 1; i >= 0 && looked < RECENT; i--) {
      const vertex = active[i];
      if (empty[vertex] === 0) {
        // One of the last: `splice` would make a list for each vertex.
        active.copyWithin(i, i + 1);
        active.pop();
        continue;
      }
      looked++;
      if (best === undefined || empty[vertex] < empty[best]) best = vertex;
    }
    return best;
  }

  while (corners.count < valences.length) {
    active = [];
    complete(newPolygon());
    for (let vertex = nextActive(); vertex !== undefined; vertex = nextActive()) {
      if (vertex % VERTICES_PER_REPORT === 0) progress.report(corners.count / valences.length);
      for (let slot = rings.indexOf(vertex, NONE); slot >= 0; slot = rings.indexOf(vertex, NONE, slot + 1)) {
        const polygon = newPolygon();
        place(polygon, 0, vertex, slot);
        walk(polygon, 0, slot, 1);
        walk(polygon, 0, slot, -1);
        complete(polygon);
      }
    }
  }
  releaseArrays(rings.values, rings.starts);
  return { corners: corners.values, starts: corners.starts, vertexCount: rings.count };
}

const wrapped = (index: number, length: number): number =>
  index < 0 ? index + length : index >= length ? index - length : index;
