import type { ApiError, ErrorFactory } from "../../core/api-error.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { IDENTITY_TRANSFORM, type Transform } from "../../geometry/transform.ts";
import { requireModelSize, requirePartCount } from "../model-size.ts";
import { type XmlVisitor, parseXml } from "../../codec/parse-xml.ts";
import { newPoints, newTriangles } from "../triples.ts";
import { BALLS, BEAMS, BeamLatticeBuilder, type ObjectLattice } from "./beam-lattice.ts";
import { found, quoted, toIndex, toNumber } from "../../codec/xml-numbers.ts";

/** One use of an object: a component of another, or an item of the build. */
export interface Placement {
  /** Name of the model part with the object, inside the archive. */
  readonly part: string;
  readonly objectId: number;
  readonly transform: Transform;
}

export interface BuildItem extends Placement {
  readonly isPrintable: boolean;
}

export interface ModelObject {
  readonly name?: string;
  /** The name of the object in messages: its name, or its id in the file. */
  readonly label: string;
  /** Absent if the object consists of components, and if its type is not printed. */
  readonly surface?: Surface;
  readonly components: readonly Placement[];
  /** One of {@link IS_PRINTED}; items must not place "other" (section 3.4.3.1). */
  readonly type: string;
  /** The lattice of beams on the vertices of its mesh. */
  readonly lattice?: ObjectLattice;
  /** The vertices of the lattice; those of the mesh, if that has triangles. */
  readonly latticeVertices?: Float64Array;
}

export interface ModelPart {
  readonly unitMm: number;
  readonly objects: ReadonlyMap<number, ModelObject>;
  readonly items: readonly BuildItem[];
}

const CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";
const PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06";
const MATERIALS = "http://schemas.microsoft.com/3dmanufacturing/material/2015/02";
/** Extensions that a file may require. Materials are ignored, because they do not change shapes. */
const KNOWN_EXTENSIONS: ReadonlySet<string | undefined> = new Set([CORE, PRODUCTION, MATERIALS, BEAMS, BALLS]);

/** Version 0.93 of the format, a draft that a few programs wrote. */
const DRAFT = "http://schemas.microsoft.com/3dmanufacturing/2013/01";

/** Core specification, section 3.4. */
const UNIT_MM: Readonly<Record<string, number>> = {
  micron: 0.001,
  millimeter: 1,
  centimeter: 10,
  inch: 25.4,
  foot: 304.8,
  meter: 1000,
};

/** The elements that are read, with the parent of each. All others are ignored with their content. */
const PARENT: Readonly<Record<string, string>> = {
  model: "",
  resources: "model",
  object: "resources",
  mesh: "object",
  vertices: "mesh",
  vertex: "vertices",
  triangles: "mesh",
  triangle: "triangles",
  beamlattice: "mesh",
  beams: "beamlattice",
  beam: "beams",
  balls: "beamlattice",
  ball: "balls",
  components: "object",
  component: "components",
  build: "model",
  item: "build",
};

/** The namespaces of the elements that are read. */
const ELEMENTS: ReadonlySet<string | undefined> = new Set([CORE, BEAMS, BALLS]);

/** The types of objects (section 4.1), and whether meshes of them are read: some are never filled, and this program makes its own supports. */
const IS_PRINTED: Readonly<Record<string, boolean>> = {
  model: true,
  solidsupport: true,
  surface: true,
  support: false,
  other: false,
};

/** Far more than any program writes; each object takes a few hundred bytes of memory, and as few as twenty in the file. */
const MAX_OBJECTS = 200_000;
const MAX_COMPONENTS = 200_000;
const MAX_NAMESPACES = 1000;
/** Vertices or triangles between two checks of their number. */
const COUNTS_PER_CHECK = 65_536;

type Attributes = Readonly<Record<string, string>>;

/**
 * Parses one model part of a 3MF package. `resolve` turns a path of the production extension into the name of a part;
 * without it a path is an error, because chapter 2 of the extension allows paths only in the root part.
 */
export async function parseModelPart(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  refuse: ErrorFactory,
  resolve?: (path: string) => string,
): Promise<ModelPart> {
  const builder = await parseXml(bytes, refuse, (refuseHere) => new ModelBuilder(name, refuseHere, resolve));
  return builder.finish();
}

class ModelBuilder implements XmlVisitor {
  readonly #part: string;
  readonly #refuse: ErrorFactory;
  readonly #resolve: ((path: string) => string) | undefined;
  readonly #namespaces = new Map<string, string>();
  readonly #objects = new Map<number, ModelObject>();
  readonly #items: BuildItem[] = [];
  #unitMm = 1;
  #vertexCount = 0;
  #triangleCount = 0;
  #componentCount = 0;
  #element = "";
  #ignoredDepth = 0;
  #object: Attributes = {};
  #vertices = newPoints();
  #triangles = newTriangles();
  #lattice: BeamLatticeBuilder | undefined;
  #components: Placement[] = [];

  constructor(part: string, refuse: ErrorFactory, resolve?: (path: string) => string) {
    this.#part = part;
    this.#refuse = refuse;
    this.#resolve = resolve;
  }

  finish(): ModelPart {
    return { unitMm: this.#unitMm, objects: this.#objects, items: this.#items };
  }

  open(name: string, attributes: Attributes): void {
    const element = this.#ignoredDepth > 0 ? undefined : this.#readName(name, attributes);
    if (element === undefined || PARENT[element] !== this.#element) {
      if (this.#element === "") {
        const what = Object.values(attributes).includes(DRAFT)
          ? "it is of version 0.93, a draft of 3MF, which is not read"
          : "it is no 3MF model";
        throw this.#refuse(`${what}; export it again as 3MF`);
      }
      this.#ignoredDepth++;
      return;
    }
    this.#element = element;
    if (element === "vertex") this.#addVertex(attributes);
    else if (element === "triangle") this.#addTriangle(attributes);
    else if (element === "beam") this.#lattice?.addBeam(attributes);
    else if (element === "ball") this.#lattice?.addBall(attributes);
    else if (element === "beamlattice") this.#addLattice(attributes);
    else if (element === "model") this.#readModel(attributes);
    else if (element === "object") this.#object = attributes;
    else if (element === "component") this.#addComponent(attributes);
    else if (element === "item") this.#addItem(attributes);
  }

  close(): void {
    if (this.#ignoredDepth > 0) {
      this.#ignoredDepth--;
      return;
    }
    if (this.#element === "object") this.#addObject();
    this.#element = PARENT[this.#element];
  }

  /** The name without its prefix if it is in a namespace that is read. A prefix has one meaning in the whole document. */
  #readName(name: string, attributes: Attributes): string | undefined {
    if (name === "vertex" || name === "triangle") return name;
    for (const key in attributes) {
      if (key === "xmlns" && this.#element !== "" && attributes.xmlns !== CORE) return undefined;
      if (key === "xmlns" || key.startsWith("xmlns:")) this.#namespaces.set(key.slice(6), attributes[key]);
    }
    if (this.#namespaces.size > MAX_NAMESPACES) throw this.#tooMany("namespaces", MAX_NAMESPACES);
    const colon = name.indexOf(":");
    const namespace = this.#namespaces.get(name.slice(0, Math.max(0, colon)));
    return ELEMENTS.has(namespace) ? name.slice(colon + 1) : undefined;
  }

  #readModel({ unit = "millimeter", requiredextensions = "" }: Attributes): void {
    if (!Object.hasOwn(UNIT_MM, unit)) throw this.#refuse(`its unit ${quoted(unit)} is unknown; export it again`);
    this.#unitMm = UNIT_MM[unit];
    for (const prefix of requiredextensions.split(/\s+/).filter(Boolean)) {
      const extension = this.#namespaces.get(prefix);
      if (!KNOWN_EXTENSIONS.has(extension)) {
        const shown = `${prefix} (${extension ?? "not declared"})`;
        throw this.#refuse(
          `it requires the 3MF extension ${shown}, which is not supported; export it without it, as a plain mesh`,
        );
      }
    }
  }

  #addVertex({ x, y, z }: Attributes): void {
    this.#vertexCount++;
    if (this.#vertexCount % COUNTS_PER_CHECK === 0) this.#requireSize();
    this.#vertices.push(this.#number(x), this.#number(y), this.#number(z));
  }

  #addTriangle({ v1, v2, v3 }: Attributes): void {
    this.#triangleCount++;
    if (this.#triangleCount % COUNTS_PER_CHECK === 0) this.#requireSize();
    this.#triangles.push(this.#corner(v1), this.#corner(v2), this.#corner(v3));
  }

  #addLattice(attributes: Attributes): void {
    if (this.#lattice) throw this.#refuse("a mesh has two beam lattices; export it again");
    const vertices = this.#vertices;
    this.#lattice = new BeamLatticeBuilder(attributes, vertices.count, (vertex) => vertices.at(vertex), this.#refuse);
  }

  #requireSize(): void {
    requireModelSize(
      { facets: this.#triangleCount, vertices: this.#vertexCount, parts: this.#items.length },
      this.#refuse,
    );
  }

  #addComponent(attributes: Attributes): void {
    if (++this.#componentCount > MAX_COMPONENTS) throw this.#tooMany("components", MAX_COMPONENTS);
    this.#components.push(this.#placement(attributes));
  }

  #tooMany(what: string, most: number): ApiError {
    return this.#refuse(`it has over ${most} ${what}, the most accepted; export it flattened, or split it`);
  }

  /** Slicers of the PrusaSlicer family write the attribute `printable` for items that are switched off. */
  #addItem(attributes: Attributes): void {
    const isPrintable = attributes.printable !== "0" && attributes.printable !== "false";
    requirePartCount(this.#items.length + 1);
    this.#items.push({ ...this.#placement(attributes), isPrintable });
  }

  #addObject(): void {
    const id = this.#id(this.#object.id);
    if (this.#objects.has(id)) throw this.#refuse(`object ${id} is there twice; export it again`);
    if (this.#objects.size === MAX_OBJECTS) throw this.#tooMany("objects", MAX_OBJECTS);
    const { type = "model" } = this.#object;
    if (!Object.hasOwn(IS_PRINTED, type))
      throw this.#refuse(`object ${id} is of the unknown type ${quoted(type)}; export it again`);
    const isMesh = this.#triangles.count > 0 && IS_PRINTED[type];
    const lattice = IS_PRINTED[type] ? this.#lattice?.finish() : undefined;
    if (lattice && type === "surface")
      throw this.#refuse(
        `object ${id} of type "surface" has a beam lattice, which encloses nothing; export it as a model`,
      );
    const vertices = isMesh || lattice ? this.#vertices.toArray() : undefined;
    this.#objects.set(id, {
      ...(this.#object.name && { name: this.#object.name }),
      label: this.#object.name || `object ${id}`,
      ...(isMesh && vertices && { surface: { vertices, triangles: this.#triangles.toArray() } }),
      ...(lattice && vertices && { lattice, latticeVertices: vertices }),
      components: this.#components,
      type,
    });
    this.#lattice = undefined;
    this.#vertices = newPoints();
    this.#triangles = newTriangles();
    this.#components = [];
  }

  #placement(attributes: Attributes): Placement {
    const path = this.#path(attributes);
    return {
      part: path === undefined ? this.#part : this.#resolvePath(path),
      objectId: this.#id(attributes.objectid),
      transform: this.#transform(attributes.transform),
    };
  }

  #path(attributes: Attributes): string | undefined {
    for (const [prefix, namespace] of this.#namespaces) {
      const path = attributes[`${prefix}:path`];
      if (namespace === PRODUCTION && path !== undefined) return path;
    }
    return undefined;
  }

  #resolvePath(path: string): string {
    if (this.#resolve) return this.#resolve(path);
    throw this.#refuse(`it refers to ${path}, but only the root model may refer to other parts; export it again`);
  }

  #transform(text: string | undefined): Transform {
    if (text === undefined) return IDENTITY_TRANSFORM;
    const numbers = text
      .trim()
      .split(/\s+/)
      .map((value) => this.#number(value));
    if (numbers.length !== 12) throw this.#refuse(`a transform has ${numbers.length} numbers, not 12; export it again`);
    return numbers;
  }

  #number(text: string | undefined): number {
    const value = toNumber(text);
    if (Number.isFinite(value)) return value;
    throw this.#refuse(`a coordinate ${found(text)}, not a number; export it again`);
  }

  #id(text: string | undefined): number {
    const id = toIndex(text);
    if (id > 0) return id;
    throw this.#refuse(`an object id ${found(text)}, not a positive whole number; export it again`);
  }

  #corner(text: string | undefined): number {
    const index = toIndex(text);
    if (index < this.#vertices.count) return index;
    throw this.#refuse(`a triangle's corner ${found(text)}, of ${this.#vertices.count} vertices; export it again`);
  }
}
