import type { ErrorFactory } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
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

/** Polygons as vertices, one after the other. */
export interface Polygons {
  readonly polygons: readonly Int32Array[];
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

/** The polygons of a coded topology. Throws what `refuse` makes where it contradicts itself. */
export function decodeTopology(coded: CodedTopology, refuse: ErrorFactory, progress: Progress): Polygons {
  const { degrees, valences, groups, splitVertices, splitSlots } = coded;
  const damaged = (): Error => refuse("the topology of a mesh in it is damaged; export it again");
  const nextDegree = new Uint32Array(CONTEXTS);
  /** Corners of each polygon, and polygons around each vertex; NONE where they are not known yet. */
  const corners: Int32Array[] = [];
  const rings: Int32Array[] = [];
  /** Slots of each ring that are not filled. */
  const empty: number[] = [];
  /** Vertices whose rings are not filled, in the order in which they were met. */
  let active: number[] = [];
  let nextSplit = 0;
  // All rings together have as many slots as all polygons have corners.
  let slotsLeft = valences.reduce((sum, valence) => sum + valence, 0);

  function newPolygon(): number {
    const valence = valences[corners.length];
    if (!(valence >= 3)) throw damaged();
    corners.push(new Int32Array(valence).fill(NONE));
    return corners.length - 1;
  }

  function contextOf(polygon: Int32Array): number {
    if (polygon.length > 4) return polygon.length === 5 ? 6 : 7;
    let [known, sum] = [0, 0];
    for (const vertex of polygon) {
      if (vertex === NONE) continue;
      known++;
      sum += rings[vertex].length;
    }
    const usual = polygon.length === 3 ? 6 : 4;
    return (polygon.length === 3 ? 0 : 3) + 1 + Math.sign(sum - usual * known);
  }

  /** Finds the vertex at a corner: a new one, or one that was met before. */
  function activate(polygon: number, corner: number): void {
    const context = contextOf(corners[polygon]);
    const at = nextDegree[context]++;
    if (at >= degrees[context].length) throw damaged();
    const degree = degrees[context][at];
    if (degree !== 0) {
      if (!(degree >= 1 && degree <= slotsLeft)) throw damaged();
      slotsLeft -= degree;
      const vertex = rings.push(new Int32Array(degree).fill(NONE)) - 1;
      empty.push(degree);
      active.push(vertex);
      place(polygon, corner, vertex, 0);
      return;
    }
    const back = splitVertices[nextSplit];
    const slot = splitSlots[nextSplit++];
    const vertex = active[active.length - back];
    if (vertex === undefined || !(slot >= 0 && slot < rings[vertex].length) || rings[vertex][slot] !== NONE)
      throw damaged();
    place(polygon, corner, vertex, slot);
  }

  /** Puts a vertex at a corner of a polygon, and the polygon in a slot of its ring. */
  function place(polygon: number, corner: number, vertex: number, slot: number): void {
    corners[polygon][corner] = vertex;
    rings[vertex][slot] = polygon;
    empty[vertex]--;
  }

  /**
   * From a corner on, places the vertices that the polygon has in common with its neighbours: the polygon beside it in the ring of a vertex
   * has the same next vertex, in whose ring the two stand beside each other too.
   */
  function walk(polygon: number, from: number, fromSlot: number, step: 1 | -1): void {
    const own = corners[polygon];
    let [corner, slot] = [from, fromSlot];
    for (;;) {
      const ring = rings[own[corner]];
      const neighbour = ring[wrapped(slot - step, ring.length)];
      if (neighbour === NONE || neighbour === polygon) return;
      const others = corners[neighbour];
      const shared = others.indexOf(own[corner]);
      const vertex = others[wrapped(shared - step, others.length)];
      if (vertex === NONE) return;
      const next = wrapped(corner + step, own.length);
      if (own[next] !== NONE) return;
      const nextRing = rings[vertex];
      const nextSlot = wrapped(nextRing.indexOf(neighbour) - step, nextRing.length);
      if (nextRing[nextSlot] !== NONE) throw damaged();
      place(polygon, next, vertex, nextSlot);
      [corner, slot] = [next, nextSlot];
    }
  }

  /** Finds all corners of a polygon that are not known. */
  function complete(polygon: number): void {
    const own = corners[polygon];
    for (let corner = 0; corner < own.length; corner++) if (own[corner] === NONE) activate(polygon, corner);
  }

  /** Of the last vertices whose rings are not filled, that with the fewest empty slots; undefined where all are filled. */
  function nextActive(): number | undefined {
    let best: number | undefined;
    let looked = 0;
    for (let i = active.length - 1; i >= 0 && looked < RECENT; i--) {
      const vertex = active[i];
      if (empty[vertex] === 0) {
        active.splice(i, 1);
        continue;
      }
      looked++;
      if (best === undefined || empty[vertex] < empty[best]) best = vertex;
    }
    return best;
  }

  while (corners.length < valences.length) {
    active = [];
    complete(newPolygon());
    for (let vertex = nextActive(); vertex !== undefined; vertex = nextActive()) {
      if (vertex % VERTICES_PER_REPORT === 0) progress.report(corners.length / valences.length);
      for (let slot = rings[vertex].indexOf(NONE); slot >= 0; slot = rings[vertex].indexOf(NONE, slot + 1)) {
        const polygon = newPolygon();
        place(polygon, 0, vertex, slot);
        walk(polygon, 0, slot, 1);
        walk(polygon, 0, slot, -1);
        complete(polygon);
      }
    }
  }
  return { polygons: corners.filter((_, i) => groups[i] >= 0), vertexCount: rings.length };
}

const wrapped = (index: number, length: number): number =>
  index < 0 ? index + length : index >= length ? index - length : index;
