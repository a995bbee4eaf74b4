import type { ApiError, ErrorFactory } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { type Transform, compose, isMirror, transformPoints } from "../../geometry/transform.ts";
import { type Surface, triangleCount, vertexCount } from "../../mesh/mesh.ts";
import type { ModelFile } from "../model-reader.ts";
import type { ModelSize } from "../model-size.ts";
import type { ModelObject, ModelPart, Placement } from "./model-part.ts";
import { MAX_BEAMS } from "./beam-lattice.ts";
import { placeLattices } from "./place-lattices.ts";
import { unreadObjects } from "./unread-objects.ts";

/**
 * One part per item of the root's build: its object with all components placed. Items that are switched off or have neither triangles nor beams are
 * left out, but the indices count them. Throws if no item is left, and for objects that are missing, nested too deeply or too large;
 * `claim` gets the counts before anything is allocated, because nested components can multiply to any number.
 */
export function assemble(
  root: ModelPart,
  parts: ReadonlyMap<string, ModelPart>,
  refuse: ErrorFactory,
  claim: (size: ModelSize) => void,
  progress: Progress,
): Pick<ModelFile, "parts" | "losses" | "warnings"> {
  const objectOf = ({ part, objectId }: Placement): ModelObject => {
    const object = parts.get(part)?.objects.get(objectId);
    if (!object) throw refuse(`object ${objectId}, which it places, is missing in ${part}; export it again`);
    return object;
  };
  const sizeOf = newObjectSizer(objectOf, refuse);
  const items = printedItems(root, (item) => sizeOf(objectOf(item)), refuse);
  const sizes = items.map((item) => sizeOf(objectOf(item)));
  const total = sizes.map(countOf).reduce((sum, count) => sum + count, 0);
  claim({
    facets: sizes.reduce((sum, { triangles }) => sum + triangles, 0),
    vertices: sizes.reduce((sum, { vertices }) => sum + vertices, 0),
    parts: items.length,
  });
  requireLatticeCounts(sizes, refuse);
  let done = 0;
  const placed = items.map((item, i) => {
    const object = objectOf(item);
    const drawn = (count: number): void => {
      progress.report(done / total);
      done += count;
    };
    const surface = placeObject(object, item.transform, sizes[i], { objectOf, sizeOf, drawn });
    const lattices =
      sizes[i].lattices > 0 ? placeLattices(item, objectOf, (object) => sizeOf(object).lattices > 0, refuse) : [];
    return {
      index: item.index,
      ...(object.name !== undefined && { name: object.name }),
      surface,
      ...(lattices.length > 0 && { lattices }),
    };
  });
  return { parts: placed, ...unreadObjects(root, objectOf) };
}

/** The items of the build that are switched on and have triangles or beams. Throws if there are none. */
function printedItems(root: ModelPart, sizeOf: (item: Placement) => ObjectSize, refuse: ErrorFactory) {
  const other = root.items.find((item) => sizeOf(item).hasOther);
  if (other) {
    throw refuse(
      `its build places object ${other.objectId}, which is or contains one of type "other"; export it again`,
    );
  }
  const items = root.items
    .map((item, index) => ({ ...item, index }))
    .filter((item) => item.isPrintable && (sizeOf(item).triangles > 0 || sizeOf(item).lattices > 0));
  if (items.length > 0) return items;
  throw refuse("its build has no triangles to print, and no beams; export the model as a mesh");
}

interface PlacingContext {
  readonly objectOf: (placement: Placement) => ModelObject;
  readonly sizeOf: (object: ModelObject) => ObjectSize;
  /** Called before each mesh with its number of vertices or triangles. */
  readonly drawn: (count: number) => void;
}

/** The surface of an object with its components, transformed. */
function placeObject(whole: ModelObject, transform: Transform, size: ObjectSize, context: PlacingContext): Surface {
  const { objectOf, sizeOf, drawn } = context;
  const vertices = new Float64Array(3 * size.vertices);
  const triangles = new Uint32Array(3 * size.triangles);
  let vertexAt = 0;
  let cornerAt = 0;
  const draw = ({ surface, components }: ModelObject, placed: Transform): void => {
    if (surface) {
      drawn(countOf({ vertices: vertexCount(surface), triangles: triangleCount(surface) }));
      transformPoints(surface.vertices, placed, vertices, vertexAt);
      copyTriangles(surface.triangles, vertexAt / 3, isMirror(placed), triangles, cornerAt);
      vertexAt += surface.vertices.length;
      cornerAt += surface.triangles.length;
    }
    for (const component of components) {
      const object = objectOf(component);
      if (sizeOf(object).triangles > 0) draw(object, compose(component.transform, placed));
    }
  };
  draw(whole, transform);
  return { vertices, triangles };
}

const countOf = ({ vertices, triangles }: Pick<ObjectSize, "vertices" | "triangles">): number =>
  Math.max(vertices, triangles);

/** Copies triangles. Those of a mirrored body are flipped, so that its volume keeps its sign (core specification, 3.3). */
function copyTriangles(from: Uint32Array, firstVertex: number, mirrored: boolean, to: Uint32Array, at: number): void {
  const [second, third] = mirrored ? [2, 1] : [1, 2];
  for (let i = 0; i < from.length; i += 3) {
    to[at + i] = firstVertex + from[i];
    to[at + i + 1] = firstVertex + from[i + second];
    to[at + i + 2] = firstVertex + from[i + third];
  }
}

/** The size of an object with its components at all levels, counted once per placement. */
interface ObjectSize {
  readonly vertices: number;
  readonly triangles: number;
  /** Whether it is, or contains, an object of type "other". */
  readonly hasOther: boolean;
  /** Lattices, and the beams and balls in them. */
  readonly lattices: number;
  readonly beams: number;
}

const beamsOf = ({ lattice }: ModelObject): number => (lattice ? lattice.beams.length / 2 + lattice.balls.length : 0);

/** Nested components can multiply to any number. */
function requireLatticeCounts(sizes: readonly ObjectSize[], refuse: ErrorFactory): void {
  for (const [what, most] of [
    ["lattices", MAX_LATTICES],
    ["beams", MAX_BEAMS],
  ] as const) {
    const count = sizes.reduce((sum, size) => sum + size[what], 0);
    if (count > most) throw refuse(`its build places ${count} ${what}, ${most} are the most accepted; split it`);
  }
}

const NOTHING: Surface = { vertices: new Float64Array(), triangles: new Uint32Array() };

const MAX_LATTICES = 10_000;

/** Deeper nesting of components is refused. */
const MAX_LEVELS = 64;

/**
 * A function that gives the sizes of objects and visits each object once, however often it is placed. It throws for an
 * object that is a component of itself, and for components nested too deeply.
 */
function newObjectSizer(
  objectOf: (placement: Placement) => ModelObject,
  refuse: ErrorFactory,
): (object: ModelObject) => ObjectSize {
  const known = new Map<ModelObject, ObjectSize & { readonly levels: number }>();
  const open = new Set<ModelObject>();

  const measure = (object: ModelObject): ObjectSize & { readonly levels: number } => {
    const size = known.get(object);
    if (size) return size;
    if (open.has(object)) throw refuse("an object is a component of itself; export it again");
    if (open.size === MAX_LEVELS) throw tooDeep();
    open.add(object);
    const { surface = NOTHING, components } = object;
    const inner = components.map((component) => measure(objectOf(component)));
    open.delete(object);
    const total = {
      vertices: inner.reduce((sum, { vertices }) => sum + vertices, vertexCount(surface)),
      triangles: inner.reduce((sum, { triangles }) => sum + triangles, triangleCount(surface)),
      hasOther: object.type === "other" || inner.some(({ hasOther }) => hasOther),
      lattices: inner.reduce((sum, { lattices }) => sum + lattices, beamsOf(object) > 0 ? 1 : 0),
      beams: inner.reduce((sum, { beams }) => sum + beams, beamsOf(object)),
      levels: 1 + inner.reduce((most, { levels }) => Math.max(most, levels), 0),
    };
    if (total.levels > MAX_LEVELS) throw tooDeep();
    known.set(object, total);
    return total;
  };
  return measure;

  function tooDeep(): ApiError {
    return refuse(`its components are nested deeper than ${MAX_LEVELS} levels; export it flattened`);
  }
}
