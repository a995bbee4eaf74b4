import type { ErrorFactory } from "../../core/api-error.ts";
import { rotationMatrix } from "../../geometry/pose.ts";
import { type Transform, compose } from "../../geometry/transform.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { requireModelSize, requirePartCount } from "../model-size.ts";
import { type XmlVisitor, parseXml } from "../../codec/parse-xml.ts";
import { newPoints, newTriangles } from "../triples.ts";
import { found, quoted, toIndex, toNumber } from "../../codec/xml-numbers.ts";
import { surfacesOfLists } from "./surfaces-of-lists.ts";

/** A closed body of an object. */
export interface AmfVolume {
  readonly name?: string;
  readonly surface: Surface;
}

export interface AmfInstance {
  readonly id: string;
  readonly transform: Transform;
}

export interface AmfDocument {
  readonly unitMm: number;
  /** The printed volumes of each object. */
  readonly objects: ReadonlyMap<string, readonly AmfVolume[]>;
  readonly constellations: ReadonlyMap<string, readonly AmfInstance[]>;
  /** It has curved triangles, which are read as flat ones. */
  readonly isCurved: boolean;
  /**
   * Names, of their objects or their own, of volumes that are not printed (supports, settings of slicers) and of objects without
   * triangles.
   */
  readonly leftOut: readonly string[];
  readonly empty: readonly string[];
  /** Ids of the placed objects whose instances are switched off. */
  readonly switchedOff: readonly string[];
}

/** ISO/ASTM 52915, "unit"; the last spelling is not in the standard, but programs write it. */
const UNIT_MM: Readonly<Record<string, number>> = {
  millimeter: 1,
  inch: 25.4,
  feet: 304.8,
  meter: 1000,
  micron: 0.001,
  micrometer: 0.001,
};

/**
 * Elements of an instance: those of the standard, then those that slicers of the Slic3r family add. All are read; otherwise a model
 * would be printed at the wrong size.
 */
const PLACEMENT = ["deltax", "deltay", "deltaz", "rx", "ry", "rz"];
const SLICER_PLACEMENT = ["scale", "scalex", "scaley", "scalez", "mirrorx", "mirrory", "mirrorz", "printable"];

/** The elements that are read, below each. All others are ignored with their content. */
const CHILDREN: Readonly<Record<string, ReadonlySet<string>>> = {
  "": new Set(["amf"]),
  amf: new Set(["metadata", "object", "constellation"]),
  object: new Set(["metadata", "mesh"]),
  mesh: new Set(["vertices", "volume"]),
  vertices: new Set(["vertex"]),
  vertex: new Set(["coordinates"]),
  coordinates: new Set(["x", "y", "z"]),
  volume: new Set(["metadata", "triangle"]),
  triangle: new Set(["v1", "v2", "v3"]),
  constellation: new Set(["instance"]),
  instance: new Set([...PLACEMENT, ...SLICER_PLACEMENT]),
};

/** The elements that make the triangles at a vertex or an edge curved, by their parent. */
const CURVES: Readonly<Record<string, string>> = { vertex: "normal", vertices: "edge" };

/**
 * The standard has rotations in degrees. The slicers of the Slic3r family, which are named in the metadata "cad", write and read
 * radians (seen with PrusaSlicer 2.5, which reads `<rz>0.5</rz>` as 28.6°).
 */
const RADIAN_WRITERS = /^Slic3r\b/;
const DEGREES_PER_RADIAN = 180 / Math.PI;

/** Far more than any program writes; each object takes a few hundred bytes of memory. */
const MAX_OBJECTS = 200_000;
const MAX_INSTANCES = 200_000;
/** Vertices or triangles between two checks of their number. */
const COUNTS_PER_CHECK = 65_536;

type Attributes = Readonly<Record<string, string>>;
type Values = Record<string, string | undefined>;

/** Parses an AMF document (ISO/ASTM 52915). Curved triangles are flat, materials and colours are ignored. */
export async function parseAmf(bytes: AsyncIterable<Uint8Array>, refuse: ErrorFactory): Promise<AmfDocument> {
  return (await parseXml(bytes, refuse, (refuseHere) => new AmfBuilder(refuseHere))).finish();
}

class AmfBuilder implements XmlVisitor {
  readonly #refuse: ErrorFactory;
  readonly #objects = new Map<string, readonly AmfVolume[]>();
  readonly #constellations = new Map<string, readonly AmfInstance[]>();
  readonly #open: string[] = [];
  #unitMm = 1;
  #turnDeg = 1;
  #ignoredDepth = 0;
  #isCurved = false;
  #text = "";
  #vertexCount = 0;
  #triangleCount = 0;
  #volumeCount = 0;
  #instanceCount = 0;
  #id = "";
  /** Texts of the elements inside the current one, by name; those of metadata by their type. */
  #values: Values = {};
  #metadataType = "";
  #objectName: string | undefined;
  #hasVolumes = false;
  #volumeMetadata: Values = {};
  #isSupport = false;
  #vertices = newPoints();
  #firstVertex = 0;
  #triangles = newTriangles();
  #volumes: { readonly name: string | undefined; readonly triangles: Uint32Array }[] = [];
  #instances: AmfInstance[] = [];
  readonly #leftOut: string[] = [];
  readonly #empty: string[] = [];
  readonly #switchedOff: string[] = [];
  #instanceOf: string | undefined;

  constructor(refuse: ErrorFactory) {
    this.#refuse = refuse;
  }

  finish(): AmfDocument {
    return {
      unitMm: this.#unitMm,
      objects: this.#objects,
      constellations: this.#constellations,
      isCurved: this.#isCurved,
      leftOut: this.#leftOut,
      empty: this.#empty,
      switchedOff: this.#switchedOff,
    };
  }

  open(name: string, attributes: Attributes): void {
    const parent = this.#open.at(-1) ?? "";
    if (this.#ignoredDepth > 0 || !CHILDREN[parent]?.has(name)) {
      if (parent === "" && this.#ignoredDepth === 0) throw this.#refuse("it is no AMF file; export it again as AMF");
      if (this.#ignoredDepth === 0 && CURVES[parent] === name) this.#isCurved = true;
      this.#ignoredDepth++;
      return;
    }
    this.#open.push(name);
    this.#text = "";
    if (name === "amf") this.#readUnit(attributes);
    else if (name === "object" || name === "constellation") this.#beginGroup(attributes.id);
    else if (name === "mesh") this.#firstVertex = this.#vertices.count;
    else if (name === "metadata") this.#metadataType = attributes.type ?? "";
    else if (name === "vertex" || name === "triangle") this.#values = {};
    else if (name === "volume") {
      this.#volumeMetadata = {};
      this.#isSupport = attributes.type === "support";
    } else if (name === "instance") {
      this.#values = {};
      this.#instanceOf = attributes.objectid;
    }
  }

  text(text: string): void {
    if (this.#ignoredDepth === 0 && CHILDREN[this.#open.at(-1) ?? ""] === undefined) this.#text += text;
  }

  close(): void {
    if (this.#ignoredDepth > 0) {
      this.#ignoredDepth--;
      return;
    }
    const name = this.#open.pop() ?? "";
    if (name === "vertex") this.#addVertex();
    else if (name === "triangle") this.#addTriangle();
    else if (name === "volume") this.#addVolume();
    else if (name === "instance") this.#addInstance();
    else if (name === "object") this.#objects.set(this.#id, this.#volumesOfObject());
    else if (name === "constellation") this.#constellations.set(this.#id, this.#instances);
    else if (name === "metadata") this.#addMetadata();
    else if (CHILDREN[name] === undefined) this.#values[name] = this.#text;
    this.#text = "";
  }

  #readUnit({ unit = "millimeter" }: Attributes): void {
    const name = unit.trim().toLowerCase();
    if (!Object.hasOwn(UNIT_MM, name)) throw this.#refuse(`its unit ${quoted(unit)} is unknown; export it again`);
    this.#unitMm = UNIT_MM[name];
  }

  #beginGroup(id: string | undefined): void {
    if (id === undefined) throw this.#refuse("an object or constellation has no id; export it again");
    if (this.#objects.has(id) || this.#constellations.has(id)) {
      throw this.#refuse(`the id ${quoted(id)} is there twice; export it again`);
    }
    if (this.#objects.size + this.#constellations.size === MAX_OBJECTS) {
      throw this.#refuse(`it has over ${MAX_OBJECTS} objects, the most accepted; split it`);
    }
    this.#id = id;
    this.#objectName = undefined;
    this.#hasVolumes = false;
    this.#vertices = newPoints();
    this.#volumes = [];
    this.#instances = [];
  }

  #addMetadata(): void {
    const text = this.#text.trim();
    const parent = this.#open.at(-1);
    if (parent === "amf") {
      if (this.#metadataType === "cad" && RADIAN_WRITERS.test(text)) this.#turnDeg = DEGREES_PER_RADIAN;
    } else if (parent === "volume") this.#volumeMetadata[this.#metadataType] = text;
    else if (this.#metadataType === "name" && text !== "") this.#objectName = text;
  }

  #addVertex(): void {
    if (++this.#vertexCount % COUNTS_PER_CHECK === 0) this.#requireSize();
    this.#vertices.push(this.#number("x"), this.#number("y"), this.#number("z"));
  }

  #addTriangle(): void {
    if (++this.#triangleCount % COUNTS_PER_CHECK === 0) this.#requireSize();
    this.#triangles.push(this.#corner("v1"), this.#corner("v2"), this.#corner("v3"));
  }

  #requireSize(): void {
    const size = { facets: this.#triangleCount, vertices: this.#vertexCount, parts: this.#volumeCount };
    requireModelSize(size, this.#refuse);
  }

  /** Supports, and the bodies by which slicers change settings or block supports, are not printed. */
  #addVolume(): void {
    const { name, "slic3r.modifier": modifier, "slic3r.volume_type": type = "ModelPart" } = this.#volumeMetadata;
    this.#hasVolumes = true;
    const isPrinted = !this.#isSupport && modifier !== "1" && type === "ModelPart";
    const label = name || this.#objectName || `object ${this.#id}`;
    if (!isPrinted) this.#leftOut.push(label);
    else if (this.#triangles.count === 0) this.#empty.push(label);
    else {
      requirePartCount(++this.#volumeCount);
      this.#volumes.push({ name: name === "" ? undefined : name, triangles: this.#triangles.toArray() });
    }
    this.#triangles = newTriangles();
  }

  #volumesOfObject(): AmfVolume[] {
    if (!this.#hasVolumes) this.#empty.push(this.#objectName ?? `object ${this.#id}`);
    const names = this.#volumes.map(({ name }) => (this.#volumes.length > 1 ? name : undefined) ?? this.#objectName);
    const triangles = this.#volumes.map((volume) => volume.triangles);
    return surfacesOfLists(this.#vertices.toArray(), triangles).map((surface, i) => ({
      ...(names[i] !== undefined && { name: names[i] }),
      surface,
    }));
  }

  #addInstance(): void {
    if (++this.#instanceCount > MAX_INSTANCES) {
      throw this.#refuse(`it has over ${MAX_INSTANCES} instances, the most accepted; split it`);
    }
    if (this.#instanceOf === undefined) throw this.#refuse("an instance names no object; export it again");
    if (toNumber(this.#values.printable) === 0) this.#switchedOff.push(`object ${this.#instanceOf}`);
    else this.#instances.push({ id: this.#instanceOf, transform: this.#transform() });
  }

  /** Rotation about the axes of the constellation, in the order x, y, z; then a translation. */
  #transform(): Transform {
    const [scale, ...scales] = ["scale", "scalex", "scaley", "scalez"].map((name) => this.#number(name, 1));
    const mirrors = ["mirrorx", "mirrory", "mirrorz"].map((name) => this.#number(name, 1));
    const [x, y, z, ...angles] = PLACEMENT.map((name) => this.#number(name, 0));
    const [rx, ry, rz] = angles.map((angle) => angle * this.#turnDeg);
    const [a, b, c] = scales.map((value, i) => scale * value * mirrors[i]);
    const turns = [
      { x: rx, y: 0, z: 0 },
      { x: 0, y: ry, z: 0 },
      { x: 0, y: 0, z: rz },
    ].map((turn) => {
      const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = rotationMatrix(turn).map(Math.fround);
      return [m0, m3, m6, m1, m4, m7, m2, m5, m8, 0, 0, 0];
    });
    const steps: Transform[] = [[a, 0, 0, 0, b, 0, 0, 0, c, 0, 0, 0], ...turns, [1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z]];
    return steps.reduce((first, second) => compose(first, second));
  }

  #number(name: string, absent = NaN): number {
    const text = this.#values[name];
    const value = text === undefined ? absent : toNumber(text);
    if (Number.isFinite(value)) return value;
    throw this.#refuse(`a value "${name}" ${found(text)}, not a number; export it again`);
  }

  #corner(name: string): number {
    const text = this.#values[name];
    const index = toIndex(text) + this.#firstVertex;
    if (index < this.#vertices.count) return index;
    throw this.#refuse(`a triangle's corner ${found(text)}, of ${this.#vertices.count} vertices; export it again`);
  }
}
