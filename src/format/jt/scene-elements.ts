import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import type { Transform } from "../../geometry/transform.ts";
import { ByteReader } from "../../codec/byte-reader.ts";
import { ADVICE } from "./jt-file.ts";

// The logical scene graph of JT files as it is stored: elements with ids, and properties of elements (ISO 14306:2012, 7.2).

/** Kinds of elements, by their ids. */
export const PARTITION = "10dd103e-2ac8-11d1-9b6b-0080c7bb5997";
export const LOD = "10dd102c-2ac8-11d1-9b6b-0080c7bb5997";
export const RANGE_LOD = "10dd104c-2ac8-11d1-9b6b-0080c7bb5997";
export const PART = "ce357244-38fb-11d1-a506-006097bdc6e1";
export const TRI_STRIP_SHAPE = "10dd1077-2ac8-11d1-9b6b-0080c7bb5997";
const INSTANCE = "10dd102a-2ac8-11d1-9b6b-0080c7bb5997";
const SWITCH = "10dd10f3-2ac8-11d1-9b6b-0080c7bb5997";
const TRANSFORM = "10dd1083-2ac8-11d1-9b6b-0080c7bb5997";
const STRING = "10dd106e-2ac8-11d1-9b6b-0080c7bb5997";
const LATE_LOADED = "e0b05be5-fbbd-11d1-a3a7-00aa00d10954";
const END = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const GROUPS = new Set([
  "10dd101b-2ac8-11d1-9b6b-0080c7bb5997", // group
  "ce357245-38fb-11d1-a506-006097bdc6e1", // meta data
  PARTITION,
  LOD,
  RANGE_LOD,
  SWITCH,
  PART,
]);

/** Base types of elements (ISO 14306:2012, 7.1.3.1): they define the beginning of elements of unknown kinds. */
const BASE_GROUP = 1;
const BASE_SHAPE = 2;

/** Flag of hidden nodes. */
const IGNORED = 1;

export interface SceneNode {
  readonly kind: string;
  readonly isHidden: boolean;
  readonly isShape: boolean;
  readonly attributes: readonly number[];
  readonly children: readonly number[];
  /** Only partitions: the file that holds their content, as named by the writer; empty if there is none. */
  readonly file?: string;
  /** Only switches: the children that they do not show. */
  readonly unselected?: ReadonlySet<number>;
}

/** The nodes of the graph and the elements to which they refer, by their ids. */
export interface SceneElements {
  readonly nodes: ReadonlyMap<number, SceneNode>;
  readonly transforms: ReadonlyMap<number, Transform>;
  /** Properties of nodes: their text, or the id of the segment to load. */
  readonly properties: ReadonlyMap<number, ReadonlyMap<string, string>>;
  readonly root: number;
}

/** Reads all elements, then the properties of nodes. Throws the error of `refuse` for a damaged graph. */
export function readSceneElements(content: Buffer, version: number, refuse: ErrorFactory): SceneElements {
  const reader = new ByteReader(content, refuse);
  const nodes = new Map<number, SceneNode>();
  const transforms = new Map<number, Transform>();
  const atoms = new Map<number, string>();
  let root: number | undefined;
  // First the nodes and attributes, then the atoms of properties.
  for (let list = 0; list < 2; list++) {
    for (let element = nextElement(reader, refuse); element; element = nextElement(reader, refuse)) {
      const { kind, base, id, body } = element;
      if (kind === TRANSFORM) transforms.set(id, readTransform(body, version, refuse));
      else if (kind === STRING) atoms.set(id, readString(body, version));
      else if (kind === LATE_LOADED) atoms.set(id, readSegmentId(body, version));
      else if (isShape(element) || kind === INSTANCE || base === BASE_GROUP || GROUPS.has(kind)) {
        nodes.set(id, readNode(element, version));
        root ??= id;
      }
    }
  }
  if (root === undefined) throw refuse(`its scene graph is empty; ${ADVICE}`);
  return { nodes, transforms, properties: readProperties(reader, atoms), root };
}

interface Element {
  readonly kind: string;
  readonly base: number;
  readonly id: number;
  readonly body: ByteReader;
}

/** The next element; undefined at the end of a list. */
export function nextElement(reader: ByteReader, refuse: ErrorFactory): Element | undefined {
  const element = new ByteReader(reader.take(reader.u32()), refuse);
  const kind = element.guid();
  if (kind === END) return undefined;
  const base = element.u8();
  const id = element.u32();
  return { kind, base, id, body: element };
}

/** Bytes of the version number at the start of most records. */
const VERSION_BYTES: Readonly<Record<number, number>> = { 8: 0, 9: 2, 10: 1 };
const skipVersion = (body: ByteReader, version: number): void => void body.skip(VERSION_BYTES[version]);

function readIds(body: ByteReader): number[] {
  const count = body.u32();
  return [...body.u32s(count)];
}

const isShape = ({ kind, base }: Element): boolean => kind === TRI_STRIP_SHAPE || base === BASE_SHAPE;

function readNode(element: Element, version: number): SceneNode {
  const { kind, body } = element;
  skipVersion(body, version);
  const isHidden = (body.u32() & IGNORED) !== 0;
  const node = { kind, isHidden, isShape: isShape(element), attributes: readIds(body), children: [] };
  if (node.isShape) return node;
  skipVersion(body, version);
  if (kind === INSTANCE) return { ...node, children: [body.u32()] };
  const children = readIds(body);
  if (kind === PARTITION) return { ...node, children, file: readFileName(body, version) };
  if (kind === SWITCH) return { ...node, children, unselected: readUnselected(body, version, children) };
  return { ...node, children };
}

/** The name follows the version, which partitions have from version 10 on, and the flags. */
function readFileName(body: ByteReader, version: number): string {
  if (version >= 10) skipVersion(body, version);
  body.skip(4);
  return readText(body);
}

/** A switch shows one child, none (-1), or all (a number beyond them). */
function readUnselected(body: ByteReader, version: number, children: readonly number[]): ReadonlySet<number> {
  skipVersion(body, version);
  const selected = body.i32();
  return new Set(selected < children.length ? children.filter((_, i) => i !== selected) : []);
}

const readText = (body: ByteReader): string => body.take(2 * body.u32()).toString("utf16le");

/** Positions of the elements of a transform in the rows of a 4 × 4 matrix for row vectors. */
const ELEMENTS = [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14];
const UNIT_ELEMENTS = new Set([0, 5, 10, 15]);

/**
 * Only the elements of the 4 × 4 matrix that differ from the identity are stored; a mask marks them, and its highest bit belongs to
 * the first element.
 */
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
  return readText(body);
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
