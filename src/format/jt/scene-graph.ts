import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import { IDENTITY, type Transform, compose, scaled, stretchOf } from "../../geometry/transform.ts";
import { ADVICE } from "./jt-file.ts";
import { LOD, PART, PARTITION, RANGE_LOD, TRI_STRIP_SHAPE, readSceneElements } from "./scene-elements.ts";

/** Where a node stands, and in which unit its coordinates are. */
export interface NodePlacement {
  readonly transform: Transform;
  /** Millimetres per unit that the node, or the nearest one above it that states its unit, has; undefined where none does. */
  readonly unitMm: number | undefined;
  /** How much the transform of the node that states the unit enlarges. */
  readonly stretch: number;
}

/** A shape of a part in its place. */
export interface JtShape {
  /** Id of the segment with its mesh. */
  readonly segment: string;
  readonly transform: Transform;
}

export interface ScenePart {
  readonly name: string | undefined;
  readonly shapes: readonly JtShape[];
  /** The most that its meshes were from its surfaces before they were rounded, in their unit, where it is told. */
  readonly chordal: number | undefined;
}

/** What lies in another file. */
export interface SceneReference {
  readonly name: string | undefined;
  /** As its writer named it, with slashes. */
  readonly file: string;
  readonly place: NodePlacement;
}

/** What of a file is not read, each once. */
export interface LeftOut {
  /** Names of what is hidden. */
  readonly hidden: ReadonlySet<string>;
  /** Names of parts that have exact shapes and no meshes. */
  readonly exact: ReadonlySet<string>;
  /** Names of parts that have nothing. */
  readonly empty: ReadonlySet<string>;
  /** Kinds of shapes, as "lines". */
  readonly kinds: ReadonlySet<string>;
}

export interface SceneGraph {
  /** In the order of the graph. Parts that are used several times stand for each use. */
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

/** More uses of nodes and of their attributes come of graphs that multiply themselves. */
export const MAX_VISITS = 1_000_000;
const MAX_DEPTH = 256;

/** What a node takes from those above it. */
interface Above {
  readonly place: NodePlacement;
  readonly name: string | undefined;
  readonly chordal: number | undefined;
  /** Those of the part that it belongs to. */
  readonly shapes: JtShape[] | undefined;
}

/** Reads the graph and follows it from its root. Throws what `refuse` makes for a damaged one. */
export function readSceneGraph(content: Buffer, version: number, refuse: ErrorFactory): SceneGraph {
  const { nodes, transforms, properties, root } = readSceneElements(content, version, refuse);
  const uses: (ScenePart | SceneReference)[] = [];
  const leftOut = {
    hidden: new Set<string>(),
    exact: new Set<string>(),
    empty: new Set<string>(),
    kinds: new Set<string>(),
  };
  let unitMm: number | undefined;
  let visits = 0;

  function visit(id: number, above: Above, depth: number): void {
    const node = nodes.get(id);
    visits += 1 + (node?.attributes.length ?? 0);
    if (visits > MAX_VISITS || depth > MAX_DEPTH) {
      throw refuse(`its scene graph has a circle or more than ${MAX_VISITS} uses of nodes; ${ADVICE}`);
    }
    if (!node) return void leftOut.kinds.add("nodes of unknown kinds");
    const own = properties.get(id);
    const name = nameOf(id) ?? above.name;
    if (node.isHidden) return void leftOut.hidden.add(name ?? "");
    const transform = node.attributes.reduce(
      (whole, attribute) => compose(transforms.get(attribute) ?? IDENTITY, whole),
      above.place.transform,
    );
    const ownUnitMm = UNITS_MM[own?.get("JT_PROP_MEASUREMENT_UNITS")?.toLowerCase() ?? ""];
    unitMm ??= ownUnitMm;
    const place = inUnit({ ...above.place, transform }, ownUnitMm, unitMm);
    const ownChordal = Number.parseFloat(own?.get("Chordal") ?? own?.get("Chordal::") ?? "");
    const chordal = ownChordal > 0 && Number.isFinite(ownChordal) ? ownChordal : above.chordal;
    if (node.isShape) {
      const segment = own?.get("JT_LLPROP_SHAPEIMPL");
      if (node.kind === TRI_STRIP_SHAPE && segment !== undefined) {
        (above.shapes ?? newPart(name, chordal)).push({ segment, transform: place.transform });
      } else if (node.kind !== NULL_SHAPE) leftOut.kinds.add(OTHER_SHAPES[node.kind] ?? "shapes of unknown kinds");
      return;
    }
    if (node.kind === PARTITION && id !== root && node.children.length === 0) {
      if (node.file) uses.push({ name, file: node.file.replaceAll("\\", "/"), place });
      else leftOut.kinds.add("references without a file");
      return;
    }
    const shapes = node.kind === PART ? newPart(name, chordal) : above.shapes;
    // Levels of detail are alternatives, the finest first.
    const isLod = node.kind === RANGE_LOD || node.kind === LOD;
    for (const child of isLod ? node.children.slice(0, 1) : node.children) {
      if (node.unselected?.has(child)) leftOut.hidden.add(nameOf(child) ?? name ?? "");
      else visit(child, { place, name, chordal, shapes }, depth + 1);
    }
    if (shapes?.length !== 0) return;
    if ([...(own?.keys() ?? [])].some((key) => EXACT_SHAPE.test(key))) leftOut.exact.add(name ?? "");
    else if (node.kind === PART && node.children.length === 0) leftOut.empty.add(name ?? "");
  }
  function nameOf(id: number): string | undefined {
    const own = properties.get(id);
    return plainName(own?.get("JT_PROP_NAME") ?? own?.get("Name::"));
  }
  function newPart(name: string | undefined, chordal: number | undefined): JtShape[] {
    const shapes: JtShape[] = [];
    uses.push({ name, shapes, chordal });
    return shapes;
  }

  const place = { transform: IDENTITY, unitMm: undefined, stretch: 1 };
  visit(root, { place, name: undefined, chordal: undefined, shapes: undefined }, 0);
  return { uses: uses.filter((use) => !("shapes" in use) || use.shapes.length > 0), unitMm, leftOut };
}

/** `shaft.part;55;0:` is the part shaft. */
const plainName = (name: string | undefined): string | undefined =>
  name?.replace(/;.*$/, "").replace(/\.(?:part|asm)$/i, "") || undefined;

/**
 * The place of something in a unit of its own. Most writers convert it by its transform, which then enlarges by about the factor between
 * the units; where that is nearer to 1, the coordinates are converted here. `fileUnitMm` counts where nothing above has a unit.
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
