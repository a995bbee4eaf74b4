import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import { IDENTITY_TRANSFORM, type Transform, compose, scaled, stretchOf } from "../../geometry/transform.ts";
import { ADVICE } from "./jt-file.ts";
import {
  LOD,
  PART,
  PARTITION,
  RANGE_LOD,
  type SceneElements,
  type SceneNode,
  TRI_STRIP_SHAPE,
  readSceneElements,
} from "./scene-elements.ts";

/** The transform of a node, and the unit of its coordinates. */
export interface NodePlacement {
  readonly transform: Transform;
  /** Millimetres per unit of the node, or of the nearest node above it that states its unit; undefined if none does. */
  readonly unitMm: number | undefined;
  /** Scale of the transform of the node that states the unit. */
  readonly stretch: number;
}

/** A placed shape of a part. */
export interface JtShape {
  /** Id of the segment with its mesh. */
  readonly segment: string;
  readonly transform: Transform;
}

export interface ScenePart {
  readonly name: string | undefined;
  readonly shapes: readonly JtShape[];
  /** Largest distance of its meshes from the exact surfaces before rounding, in their unit, if stated. */
  readonly chordal: number | undefined;
}

/** Content in another file. */
export interface SceneReference {
  readonly name: string | undefined;
  /** As named by the writer, with slashes. */
  readonly file: string;
  readonly place: NodePlacement;
}

/** Content of a file that is not read, each name once. */
export interface LeftOut {
  /** Names of hidden parts. */
  readonly hidden: ReadonlySet<string>;
  /** Names of parts that have exact shapes and no meshes. */
  readonly exact: ReadonlySet<string>;
  /** Names of empty parts. */
  readonly empty: ReadonlySet<string>;
  /** Kinds of shapes, such as "lines". */
  readonly kinds: ReadonlySet<string>;
}

export interface SceneGraph {
  /** In the order of the graph. A part that is used several times is listed once per use. */
  readonly uses: readonly (ScenePart | SceneReference)[];
  /** Millimetres per unit of the file: that of the first node of the graph that states one. */
  readonly unitMm: number | undefined;
  readonly leftOut: LeftOut;
}

/** Millimetres per unit, by the names of units (ISO 14306:2012, 7.2.1.1.1.9). */
const UNITS_MM: Readonly<Record<string, number>> = {
  micrometers: 0.001,
  millimeters: 1,
  centimeters: 10,
  decimeters: 100,
  meters: 1000,
  kilometers: 1e6,
  mils: 0.0254,
  inches: 25.4,
  feet: 304.8,
  yards: 914.4,
  miles: 1_609_344,
};

/** Shapes without surfaces or of kinds that are not read (ISO 14306:2012, 7.2.1.1). */
const OTHER_SHAPES: Readonly<Record<string, string>> = {
  "98134716-0010-0818-1998-080009835d5a": "points",
  "10dd1046-2ac8-11d1-9b6b-0080c7bb5997": "lines",
  "10dd1048-2ac8-11d1-9b6b-0080c7bb5997": "sets of polygons",
  "e40373c1-1ad9-11d3-9daf-00a0c9c7ddc2": "boxes, cylinders and other primitives",
  "4cc7a521-0728-11d3-9d8b-00a0c9c7ddc2": "wire harnesses",
  [TRI_STRIP_SHAPE]: "shapes without a mesh",
};
const NULL_SHAPE = "d239e7b6-dd77-4289-a07d-b0ee79f79494";

/** Properties with exact shapes: boundaries of XT and JT, and the lightweight forms of both. */
const EXACT_SHAPE = /^JT_LLPROP_\w*(?:BREP|ULP|LWPA)/;

/** More uses of nodes and attributes occur only in graphs that refer to themselves repeatedly. */
export const MAX_VISITS = 1_000_000;
const MAX_DEPTH = 256;

type NodeProperties = ReadonlyMap<string, string> | undefined;

/** Values that a node inherits from the nodes above it. */
interface Inherited {
  readonly place: NodePlacement;
  readonly name: string | undefined;
  readonly chordal: number | undefined;
  /** The shapes of the part to which it belongs. */
  readonly shapes: JtShape[] | undefined;
}

/** Reads the graph and follows it from its root. Throws the error of `refuse` for a damaged one. */
export const readSceneGraph = (content: Buffer, version: number, refuse: ErrorFactory): SceneGraph =>
  new GraphWalk(readSceneElements(content, version, refuse), refuse).walk();

/** A walk over a scene graph, which collects the parts that it places. */
class GraphWalk {
  readonly #elements: SceneElements;
  readonly #refuse: ErrorFactory;
  readonly #uses: (ScenePart | SceneReference)[] = [];
  readonly #leftOut = {
    hidden: new Set<string>(),
    exact: new Set<string>(),
    empty: new Set<string>(),
    kinds: new Set<string>(),
  };
  #unitMm: number | undefined;
  #visits = 0;

  constructor(elements: SceneElements, refuse: ErrorFactory) {
    this.#elements = elements;
    this.#refuse = refuse;
  }

  walk(): SceneGraph {
    const place = { transform: IDENTITY_TRANSFORM, unitMm: undefined, stretch: 1 };
    this.#visit(this.#elements.root, { place, name: undefined, chordal: undefined, shapes: undefined }, 0);
    const uses = this.#uses.filter((use) => !("shapes" in use) || use.shapes.length > 0);
    return { uses, unitMm: this.#unitMm, leftOut: this.#leftOut };
  }

  #visit(id: number, above: Inherited, depth: number): void {
    const node = this.#elements.nodes.get(id);
    this.#visits += 1 + (node?.attributes.length ?? 0);
    if (this.#visits > MAX_VISITS || depth > MAX_DEPTH) {
      throw this.#refuse(`its scene graph has a circle or more than ${MAX_VISITS} uses of nodes; ${ADVICE}`);
    }
    if (!node) return void this.#leftOut.kinds.add("nodes of unknown kinds");
    const name = this.#nameOf(id) ?? above.name;
    if (node.isHidden) return void this.#leftOut.hidden.add(name ?? "");
    const own = this.#elements.properties.get(id);
    const place = this.#placeOf(node, own, above.place);
    const ownChordal = Number.parseFloat(own?.get("Chordal") ?? own?.get("Chordal::") ?? "");
    const chordal = ownChordal > 0 && Number.isFinite(ownChordal) ? ownChordal : above.chordal;
    if (node.isShape) {
      const shapes = (): JtShape[] => above.shapes ?? this.#newPart(name, chordal);
      this.#addShape(node, own?.get("JT_LLPROP_SHAPEIMPL"), shapes, place);
    } else if (node.kind === PARTITION && id !== this.#elements.root && node.children.length === 0) {
      this.#addReference(node, name, place);
    } else {
      const shapes = node.kind === PART ? this.#newPart(name, chordal) : above.shapes;
      this.#visitChildren(node, { place, name, chordal, shapes }, depth);
      if (shapes?.length === 0) this.#reportEmpty(node, own, name);
    }
  }

  #placeOf(node: SceneNode, own: NodeProperties, above: NodePlacement): NodePlacement {
    const { transforms } = this.#elements;
    const transform = node.attributes.reduce(
      (whole, attribute) => compose(transforms.get(attribute) ?? IDENTITY_TRANSFORM, whole),
      above.transform,
    );
    const ownUnitMm = UNITS_MM[own?.get("JT_PROP_MEASUREMENT_UNITS")?.toLowerCase() ?? ""];
    this.#unitMm ??= ownUnitMm;
    return inUnit({ ...above, transform }, ownUnitMm, this.#unitMm);
  }

  #addShape({ kind }: SceneNode, segment: string | undefined, shapes: () => JtShape[], place: NodePlacement): void {
    if (kind === TRI_STRIP_SHAPE && segment !== undefined) shapes().push({ segment, transform: place.transform });
    else if (kind !== NULL_SHAPE) this.#leftOut.kinds.add(OTHER_SHAPES[kind] ?? "shapes of unknown kinds");
  }

  #addReference({ file }: SceneNode, name: string | undefined, place: NodePlacement): void {
    if (file) this.#uses.push({ name, file: file.replaceAll("\\", "/"), place });
    else this.#leftOut.kinds.add("references without a file");
  }

  #visitChildren(node: SceneNode, inherited: Inherited, depth: number): void {
    // Levels of detail are alternatives, the finest first.
    const isLod = node.kind === RANGE_LOD || node.kind === LOD;
    for (const child of isLod ? node.children.slice(0, 1) : node.children) {
      if (node.unselected?.has(child)) this.#leftOut.hidden.add(this.#nameOf(child) ?? inherited.name ?? "");
      else this.#visit(child, inherited, depth + 1);
    }
  }

  /** Records that a part has no mesh. */
  #reportEmpty({ kind, children }: SceneNode, own: NodeProperties, name: string | undefined): void {
    if ([...(own?.keys() ?? [])].some((key) => EXACT_SHAPE.test(key))) this.#leftOut.exact.add(name ?? "");
    else if (kind === PART && children.length === 0) this.#leftOut.empty.add(name ?? "");
  }

  #nameOf(id: number): string | undefined {
    const own = this.#elements.properties.get(id);
    return plainName(own?.get("JT_PROP_NAME") ?? own?.get("Name::"));
  }

  #newPart(name: string | undefined, chordal: number | undefined): JtShape[] {
    const shapes: JtShape[] = [];
    this.#uses.push({ name, shapes, chordal });
    return shapes;
  }
}

/** `shaft.part;55;0:` is the part shaft. */
const plainName = (name: string | undefined): string | undefined =>
  name?.replace(/;.*$/, "").replace(/\.(?:part|asm)$/i, "") || undefined;

/**
 * Converts a placement that states its own unit. Most writers convert units in the transform, which then scales by about the ratio of
 * the units; if the scale is nearer to 1, the coordinates are converted here. `fileUnitMm` applies if no node above states a unit.
 */
export function inUnit(
  place: NodePlacement,
  unitMm: number | undefined,
  fileUnitMm: number | undefined,
): NodePlacement {
  if (unitMm === undefined) return place;
  const factor = unitMm / (place.unitMm ?? fileUnitMm ?? unitMm);
  const enlarged = Math.log(stretchOf(place.transform) / place.stretch);
  const isConverted = Math.abs(enlarged - Math.log(factor)) <= Math.abs(enlarged);
  const transform = isConverted ? place.transform : compose(scaled(factor), place.transform);
  return { transform, unitMm, stretch: stretchOf(transform) };
}
