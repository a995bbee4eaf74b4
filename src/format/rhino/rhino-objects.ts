import type { File3dm, GeometryBase, InstanceReference, RhinoModule } from "rhino3dm";
import type { ErrorFactory } from "../../core/api-error.ts";
import { IDENTITY_TRANSFORM, type Transform, compose } from "../../geometry/transform.ts";
import { requirePartCount } from "../model-size.ts";
import { type Own, enumValue, withHandles } from "./rhino-library.ts";

/** A visible object with a surface. */
export interface PlacedObject {
  /** Id of the object in the file: several placements of a block share it. */
  readonly id: string;
  /** The name of the object, else that of its block, else that of its layer. */
  readonly name: string;
  readonly geometry: GeometryBase;
  readonly placement: Transform;
}

/** The objects of a file, and what was left out. */
export interface PlacedObjects {
  readonly objects: readonly PlacedObject[];
  /** Names of hidden objects with a surface. */
  readonly hidden: readonly string[];
  /** Names of objects of kinds that the library does not know. */
  readonly unread: readonly string[];
  /** Names of blocks that lack objects. */
  readonly broken: readonly string[];
}

/** Deepest nesting of blocks; real files have a few levels. */
const MAX_BLOCK_DEPTH = 64;
/** Most placements: nested blocks may multiply to any number. */
const MAX_PLACEMENTS = 100_000;

/** Modes of objects (`ON::object_mode`). */
const HIDDEN = 1;
const IN_BLOCK = 3;
/** `ON_InstanceDefinition::IDEF_UPDATE_TYPE`. */
const LINKED = 3;

interface RhinoObject {
  readonly id: string;
  readonly name: string;
  readonly layer: string;
  readonly isVisible: boolean;
  /** Part of a block's definition, not of the model. */
  readonly isInBlock: boolean;
  readonly geometry: GeometryBase;
}

interface Block {
  readonly name: string;
  readonly objects: readonly string[];
  /** The file that holds the block, if it is another one. */
  readonly archive?: string;
}

/**
 * The visible objects of a file with a surface, in the order of the file; those of blocks once per placement. The geometries are
 * registered with `own`. Throws for a block that contains itself or is missing in the file.
 */
export function placedObjects(rhino: RhinoModule, file: File3dm, own: Own, refuse: ErrorFactory): PlacedObjects {
  const { Brep, Extrusion, InstanceReference, Mesh, SubD, Surface } = rhino.ObjectType;
  const withSurface = new Set<unknown>([Brep, Extrusion, Mesh, SubD, Surface]);
  const { entries, unread } = entriesOf(file, own);
  const hidden: string[] = [];
  const broken: string[] = [];
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const blocks = withHandles((release) => blocksOf(file, release));
  const placed: PlacedObject[] = [];
  let placements = 0;

  function place(entry: RhinoObject, placement: Transform, within: readonly string[], blockName: string): void {
    const { id, name, geometry } = entry;
    if (!entry.isVisible) {
      const isShape = geometry.objectType === InstanceReference || withSurface.has(geometry.objectType);
      if (isShape) hidden.push(name || blockName || entry.layer);
      return;
    }
    if (++placements > MAX_PLACEMENTS) {
      throw refuse(`its blocks place more than ${MAX_PLACEMENTS} objects; export a part of it`);
    }
    if (geometry.objectType === InstanceReference) {
      const { parentIdefId, xform } = geometry as InstanceReference;
      const block = blocks.get(parentIdefId);
      if (!block) throw refuse(`a block that it places is missing; save it again in Rhino`);
      const { name: itsName, objects, archive } = block;
      if (within.includes(parentIdefId) || within.length >= MAX_BLOCK_DEPTH) {
        const what = `its block "${itsName}" contains itself, or is nested in more than ${MAX_BLOCK_DEPTH} others`;
        throw refuse(`${what}; explode it in Rhino and save again`);
      }
      if (archive !== undefined && objects.length === 0) {
        throw refuse(`its block "${itsName}" is linked to "${archive}"; embed it in Rhino and save again`);
      }
      const inner = compose(transformOf(own(xform).toFloatArray(true)), placement);
      if (!objects.every((object) => byId.has(object))) broken.push(name || itsName);
      for (const member of objects.flatMap((object) => byId.get(object) ?? [])) {
        place(member, inner, [...within, parentIdefId], name || itsName);
      }
    } else if (withSurface.has(geometry.objectType)) {
      placed.push({ id, name: name || blockName || entry.layer, geometry, placement });
      requirePartCount(placed.length);
    }
  }
  for (const entry of entries) if (!entry.isInBlock) place(entry, IDENTITY_TRANSFORM, [], "");
  return { objects: placed, hidden, unread, broken };
}

/** The transform of a matrix for column vectors, given row by row. */
const transformOf = ([a, b, c, x, d, e, f, y, g, h, i, z]: readonly number[]): Transform =>
  [
    [a, d, g],
    [b, e, h],
    [c, f, i],
    [x, y, z],
  ].flat();

function entriesOf(file: File3dm, own: Own): { readonly entries: RhinoObject[]; readonly unread: string[] } {
  return withHandles((release) => {
    const layers = layersOf(file, release);
    const objects = release(file.objects());
    const entries: RhinoObject[] = [];
    const unread: string[] = [];
    for (let i = 0; i < objects.count; i++) {
      const object = release(objects.get(i));
      const geometry = own(object?.geometry());
      const attributes = release(object?.attributes());
      if (!geometry || !attributes) {
        unread.push(attributes?.name ?? "");
        continue;
      }
      const layer = layers.get(attributes.layerIndex);
      const mode = enumValue(attributes.mode);
      entries.push({
        id: attributes.id,
        name: attributes.name,
        layer: layer?.name ?? "",
        isVisible: attributes.visible && mode !== HIDDEN && (layer?.isVisible ?? true),
        isInBlock: mode === IN_BLOCK || attributes.isInstanceDefinitionObject,
        geometry,
      });
    }
    return { entries, unread };
  });
}

interface LayerState {
  readonly name: string;
  readonly isVisible: boolean;
}

/** The layers by their index. A layer below a hidden one is hidden. */
function layersOf(file: File3dm, own: Own): ReadonlyMap<number, LayerState> {
  const table = own(file.layers());
  const layers = Array.from({ length: table.count }, (_, i) => own(table.get(i)));
  const byId = new Map(layers.map((layer) => [layer.id, layer]));
  const isShown = (id: string, steps: number): boolean => {
    const layer = byId.get(id);
    if (!layer || steps === 0) return true;
    return layer.visible && isShown(layer.parentLayerId, steps - 1);
  };
  return new Map(layers.map(({ index, name, id }) => [index, { name, isVisible: isShown(id, layers.length) }]));
}

function blocksOf(file: File3dm, own: Own): ReadonlyMap<string, Block> {
  const table = own(file.instanceDefinitions());
  const definitions = Array.from({ length: table.count }, (_, i) => own(table.get(i)));
  return new Map(
    definitions.map((definition) => [
      definition.id,
      {
        name: definition.name,
        objects: definition.getObjectIds() as readonly string[],
        ...(enumValue(definition.updateType) === LINKED && { archive: definition.sourceArchive }),
      },
    ]),
  );
}
