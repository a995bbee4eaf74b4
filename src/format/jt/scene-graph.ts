import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import { IDENTITY, type Transform, compose } from "../../geometry/transform.ts";
import { ByteReader } from "../byte-reader.ts";
import { ADVICE } from "./jt-file.ts";

// The logical scene graph of JT files: elements with ids, and properties of elements (ISO 14306:2012, 7.2).

/** Kinds of elements, by their ids. */
const GROUPS = new Set([
  "10dd101b-2ac8-11d1-9b6b-0080c7bb5997", // group
  "10dd103e-2ac8-11d1-9b6b-0080c7bb5997", // partition
  "10dd102c-2ac8-11d1-9b6b-0080c7bb5997", // levels of detail
  "10dd10f3-2ac8-11d1-9b6b-0080c7bb5997", // switch
  "ce357245-38fb-11d1-a506-006097bdc6e1", // meta data
]);
const RANGE_LOD = "10dd104c-2ac8-11d1-9b6b-0080c7bb5997";
const PART = "ce357244-38fb-11d1-a506-006097bdc6e1";
const INSTANCE = "10dd102a-2ac8-11d1-9b6b-0080c7bb5997";
const TRI_STRIP_SHAPE = "10dd1077-2ac8-11d1-9b6b-0080c7bb5997";
const TRANSFORM = "10dd1083-2ac8-11d1-9b6b-0080c7bb5997";
const STRING = "10dd106e-2ac8-11d1-9b6b-0080c7bb5997";
const LATE_LOADED = "e0b05be5-fbbd-11d1-a3a7-00aa00d10954";
const END = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A flag of nodes: it is hidden. */
const IGNORED = 1;

/** A shape of a part in its place. */
export interface PlacedShape {
  /** Id of the segment with its mesh. */
  readonly segment: string;
  readonly transform: Transform;
}

export interface ScenePart {
  readonly name: string | undefined;
  readonly shapes: readonly PlacedShape[];
}

export interface SceneGraph {
  /** In the order of the graph. Parts that are used several times stand for each use. */
  readonly parts: readonly ScenePart[];
  /** Name of the unit of length, as "Inches". */
  readonly unit: string | undefined;
  /** How far the meshes may be from the surfaces, in that unit. */
  readonly chordal: number | undefined;
}

interface Node {
  readonly kind: string;
  readonly isHidden: boolean;
  readonly attributes: readonly number[];
  readonly children: readonly number[];
}

/** The nodes of the graph and what they refer to, by their ids. */
interface Elements {
  readonly nodes: ReadonlyMap<number, Node>;
  readonly transforms: ReadonlyMap<number, Transform>;
  /** Properties of nodes: their text, or the id of the segment to load. */
  readonly properties: ReadonlyMap<number, ReadonlyMap<string, string>>;
  readonly root: number;
}

/** More uses of nodes and of their attributes come of graphs that multiply themselves. */
const MAX_VISITS = 1_000_000;
const MAX_DEPTH = 256;

/** Reads the graph and follows it from its root. Throws what `refuse` makes for a damaged one. */
export function readSceneGraph(content: Buffer, version: number, refuse: ErrorFactory): SceneGraph {
  const elements = readElements(content, version, refuse);
  const { nodes, transforms, properties, root } = elements;
  const parts: { name: string | undefined; shapes: PlacedShape[] }[] = [];
  let visits = 0;
  function visit(id: number, above: Transform, part: { shapes: PlacedShape[] } | undefined, depth: number): void {
    const node = nodes.get(id);
    visits += 1 + (node?.attributes.length ?? 0);
    if (visits > MAX_VISITS || depth > MAX_DEPTH) {
      throw refuse(`its scene graph has a circle or more than ${MAX_VISITS} uses of nodes; ${ADVICE}`);
    }
    if (!node || node.isHidden) return;
    const transform = node.attributes.reduce(
      (whole, attribute) => compose(transforms.get(attribute) ?? IDENTITY, whole),
      above,
    );
    const segment = properties.get(id)?.get("JT_LLPROP_SHAPEIMPL");
    if (node.kind === TRI_STRIP_SHAPE && segment !== undefined) {
      const owner = part ?? newPart(id);
      owner.shapes.push({ segment, transform });
      return;
    }
    const inner = node.kind === PART ? newPart(id) : part;
    // Levels of detail are alternatives, the finest first.
    const children = node.kind === RANGE_LOD ? node.children.slice(0, 1) : node.children;
    for (const child of children) visit(child, transform, inner, depth + 1);
  }
  function newPart(id: number): { name: string | undefined; shapes: PlacedShape[] } {
    const part = { name: plainName(properties.get(id)?.get("JT_PROP_NAME")), shapes: [] };
    parts.push(part);
    return part;
  }
  visit(root, IDENTITY, undefined, 0);
  return {
    parts: parts.filter(({ shapes }) => shapes.length > 0),
    unit: firstProperty(elements, "JT_PROP_MEASUREMENT_UNITS"),
    chordal: chordalOf(elements),
  };
}

/** `shaft.part;55;0:` is the part shaft. */
const plainName = (name: string | undefined): string | undefined =>
  name?.replace(/;.*$/, "").replace(/\.(?:part|asm)$/i, "") || undefined;

function firstProperty({ properties }: Elements, key: string): string | undefined {
  for (const ofNode of properties.values()) {
    const value = ofNode.get(key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The deviations of the levels of detail, the finest first. */
function chordalOf(elements: Elements): number | undefined {
  const text = firstProperty(elements, "Chordal") ?? firstProperty(elements, "Chordal::");
  const value = Number.parseFloat(text ?? "");
  return value > 0 ? value : undefined;
}

/** Reads all elements, then the properties of nodes. */
function readElements(content: Buffer, version: number, refuse: ErrorFactory): Elements {
  const reader = new ByteReader(content, refuse);
  const nodes = new Map<number, Node>();
  const transforms = new Map<number, Transform>();
  const atoms = new Map<number, string>();
  let root: number | undefined;
  // The nodes and attributes, and behind their end the atoms of properties.
  for (let list = 0; list < 2; list++) {
    for (let element = nextElement(reader, refuse); element; element = nextElement(reader, refuse)) {
      const { kind, id, body } = element;
      if (kind === TRANSFORM) transforms.set(id, readTransform(body, version, refuse));
      else if (kind === STRING) atoms.set(id, readString(body, version));
      else if (kind === LATE_LOADED) atoms.set(id, readSegmentId(body, version));
      else if (
        GROUPS.has(kind) ||
        kind === RANGE_LOD ||
        kind === PART ||
        kind === INSTANCE ||
        kind === TRI_STRIP_SHAPE
      ) {
        nodes.set(id, readNode(kind, body, version));
        root ??= id;
      }
    }
  }
  if (root === undefined) throw refuse(`its scene graph is empty; ${ADVICE}`);
  return { nodes, transforms, properties: readProperties(reader, atoms), root };
}

interface Element {
  readonly kind: string;
  readonly id: number;
  readonly body: ByteReader;
}

/** The next element; undefined at the end of a list. */
export function nextElement(reader: ByteReader, refuse: ErrorFactory): Element | undefined {
  const element = new ByteReader(reader.take(reader.u32()), refuse);
  const kind = element.guid();
  if (kind === END) return undefined;
  element.skip(1);
  const id = element.u32();
  return { kind, id, body: element };
}

/** Bytes of the version with which most records begin. */
const VERSION_BYTES: Readonly<Record<number, number>> = { 8: 0, 9: 2, 10: 1 };
const skipVersion = (body: ByteReader, version: number): void => void body.skip(VERSION_BYTES[version]);

function readIds(body: ByteReader): number[] {
  const count = body.u32();
  return [...body.u32s(count)];
}

function readNode(kind: string, body: ByteReader, version: number): Node {
  skipVersion(body, version);
  const isHidden = (body.u32() & IGNORED) !== 0;
  const attributes = readIds(body);
  if (kind === TRI_STRIP_SHAPE) return { kind, isHidden, attributes, children: [] };
  skipVersion(body, version);
  return { kind, isHidden, attributes, children: kind === INSTANCE ? [body.u32()] : readIds(body) };
}

/** Where rows of a 4 × 4 matrix for row vectors have the elements of a transform. */
const ELEMENTS = [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14];
const UNIT_ELEMENTS = new Set([0, 5, 10, 15]);

/** The elements of a 4 × 4 matrix that differ from the identity, which a mask tells, the first one in its highest bit. */
function readTransform(body: ByteReader, version: number, refuse: ErrorFactory): Transform {
  skipVersion(body, version);
  body.skip(5);
  if (version === 10) body.skip(4);
  skipVersion(body, version);
  const mask = body.u16();
  const isStored = Array.from({ length: 16 }, (_, i) => ((mask >> (15 - i)) & 1) === 1);
  const count = isStored.filter(Boolean).length;
  // Double precision from version 9.5 on.
  const isDouble = body.left >= 8 * count;
  const matrix = isStored.map((stored, i) => {
    if (!stored) return UNIT_ELEMENTS.has(i) ? 1 : 0;
    return isDouble ? body.f64() : body.f32s(1)[0];
  });
  if (!matrix.every(Number.isFinite)) throw refuse(`a placement in its scene graph is not finite; ${ADVICE}`);
  return ELEMENTS.map((element) => matrix[element]);
}

function readString(body: ByteReader, version: number): string {
  skipVersion(body, version);
  body.skip(4);
  skipVersion(body, version);
  return body.take(2 * body.u32()).toString("utf16le");
}

function readSegmentId(body: ByteReader, version: number): string {
  skipVersion(body, version);
  body.skip(4);
  skipVersion(body, version);
  return body.guid();
}

function readProperties(reader: ByteReader, atoms: ReadonlyMap<number, string>): Map<number, Map<string, string>> {
  const properties = new Map<number, Map<string, string>>();
  reader.skip(2);
  for (let left = reader.u32(); left > 0; left--) {
    const ofNode = new Map<string, string>();
    properties.set(reader.u32(), ofNode);
    for (let key = reader.u32(); key !== 0; key = reader.u32()) {
      const value = atoms.get(reader.u32());
      const name = atoms.get(key);
      if (name !== undefined && value !== undefined) ofNode.set(name, value);
    }
  }
  return properties;
}
