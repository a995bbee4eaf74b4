import type { ErrorFactory } from "../../core/api-error.ts";
import { type Transform, compose } from "../../geometry/transform.ts";
import { type Surface, concatenateSurfaces } from "../../mesh/mesh.ts";
import type { FilePart, ModelFile, ModelReader } from "../model-reader.ts";
import { claimModelSize, requirePartCount } from "../model-size.ts";
import { sentenceOf, unreadFields } from "../message-names.ts";
import { placeSurface } from "../place-surface.ts";
import { readError } from "../../codec/file-source.ts";
import { withFileSource } from "../model-source.ts";
import { trianglesOfStrip, writeStrip } from "../triangle-strips.ts";
import { accessorAt, readIndices, readPoints } from "./gltf-accessor.ts";
import { type GltfFile, withGltfFile } from "./gltf-buffers.ts";
import type { GltfDocument, GltfNode, GltfPrimitive } from "./gltf-document.ts";

/** Coordinates are in metres (glTF 2.0, section 3.4). */
const UNIT_MM = 1000;
/** glTF has y up, Printwright z. */
const Z_UP: Transform = [1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0];
/** Nodes inside nodes. */
const MAX_LEVELS = 512;

/** The extension by which a node shows its mesh at many positions. */
const COPIES = "EXT_mesh_gpu_instancing";

/** The modes of primitives that have facets; points and lines have none. */
const TRIANGLES = 4;
const STRIP = 5;
const FAN = 6;

/**
 * glTF 2.0, as text or binary. One part for each node of the scene that has a mesh with facets, named after the node or the mesh.
 * Materials and animations are ignored; skins and morph targets too, with a warning, because the shapes differ from what viewers show.
 */
export const gltfReader: ModelReader = {
  async read(file, _options, progress) {
    progress.report(0);
    return withFileSource(file, (source) => {
      const refuse: ErrorFactory = (why) => readError(source, why);
      return withGltfFile(source, refuse, (gltf) => {
        const instances = instancesOf(gltf.document, refuse);
        const sizes = instances.map(({ mesh }) => sizeOf(gltf, mesh, refuse));
        const total = (key: "facets" | "vertices"): number => sizes.reduce((sum, size) => sum + size[key], 0);
        const size = { facets: total("facets"), vertices: total("vertices"), parts: instances.length };
        if (size.facets === 0)
          throw refuse("the scene that it shows has no triangles; export the model again as a mesh");
        claimModelSize(file, size, refuse);
        const surfaces = new Map<number, Surface>();
        const parts: FilePart[] = [];
        instances.forEach(({ mesh, name, transform }, i) => {
          progress.report(i / instances.length);
          const surface = surfaces.get(mesh) ?? surfaceOf(gltf, mesh, refuse);
          surfaces.set(mesh, surface);
          if (surface.triangles.length === 0) return;
          const placed = placeSurface(surface, transform);
          parts.push({ index: parts.length, ...(name !== undefined && { name }), surface: placed });
        });
        if (parts.length === 0)
          throw refuse("the scene that it shows has no triangles; export the model again as a mesh");
        return { parts, unitMm: UNIT_MM, ...unreadContent(gltf, instances) };
      });
    });
  },
};

/** Content of the scene that is missing or different in its parts, by the names of the parts. */
function unreadContent(
  { document }: GltfFile,
  instances: readonly MeshInstance[],
): Pick<ModelFile, "losses" | "warnings"> {
  const namesOf = (isMeant: (instance: MeshInstance) => boolean): string[] =>
    instances.filter(isMeant).map(({ mesh, name }) => name ?? `mesh ${mesh}`);
  const having = (isMeant: (primitive: GltfPrimitive) => boolean): string[] =>
    namesOf(({ mesh }) => document.meshes[mesh].primitives.some(isMeant));
  return unreadFields(
    [
      ...sentenceOf(
        "Facets without positions, or of an unknown kind, are missing in these parts",
        having(({ mode, attributes }) => mode > FAN || (mode >= TRIANGLES && attributes.POSITION === undefined)),
      ),
      ...sentenceOf(
        `The file places copies by the extension ${COPIES}, which is not read (export it with a node for each copy): there is one alone of`,
        namesOf(({ isCopied }) => isCopied),
      ),
    ],
    [
      ...sentenceOf(
        "The file has skins or morph targets, which are ignored: the model is in its rest shape. Apply them before the export if it should be otherwise. Parts that have them",
        namesOf(({ isPosed }) => isPosed),
      ),
      ...sentenceOf(
        "Points and lines have no facets and are not imported. They are in",
        having(({ mode }) => mode < TRIANGLES),
      ),
    ],
  );
}

interface MeshInstance {
  readonly mesh: number;
  readonly name: string | undefined;
  readonly transform: Transform;
  /** Skins or morph targets change its shape. */
  readonly isPosed: boolean;
  /** It is copied to positions that are not read. */
  readonly isCopied: boolean;
}

/** The meshes of the scene that the file shows; of all nodes if it has no scenes. */
function instancesOf({ nodes, meshes, scenes, scene = 0 }: GltfDocument, refuse: ErrorFactory): MeshInstance[] {
  const children = new Set(nodes.flatMap((node) => node.children));
  const roots = scenes.at(scene)?.nodes ?? [...nodes.keys()].filter((index) => !children.has(index));
  const instances: MeshInstance[] = [];
  const visited = new Set<number>();
  const visit = (index: number, outside: Transform, level: number): void => {
    const node = nodes.at(index);
    if (!node) throw refuse(`its node ${index} is missing; export it again`);
    if (visited.has(index)) throw refuse(`its node ${index} is in two others, or in itself; export it again`);
    if (level > MAX_LEVELS) throw refuse(`its nodes are nested deeper than ${MAX_LEVELS} levels; export it flattened`);
    visited.add(index);
    const transform = compose(transformOf(node), outside);
    if (node.mesh !== undefined) {
      const mesh = meshes.at(node.mesh);
      if (!mesh) throw refuse(`its mesh ${node.mesh} is missing; export it again`);
      requirePartCount(instances.length + 1);
      const weights = node.weights.length > 0 ? node.weights : mesh.weights;
      const isPosed = node.skin !== undefined || weights.some((weight) => weight !== 0);
      const isCopied = Object.hasOwn(node.extensions, COPIES);
      instances.push({ mesh: node.mesh, name: nameOf(node.name) ?? nameOf(mesh.name), transform, isPosed, isCopied });
    }
    for (const child of node.children) visit(child, transform, level + 1);
  };
  for (const root of roots) visit(root, Z_UP, 1);
  return instances;
}

const nameOf = (name: string | undefined): string | undefined => name?.trim() || undefined;

/** Matrices are stored by columns. A node without a matrix is scaled, rotated by a quaternion and translated. */
function transformOf({
  matrix,
  translation = [0, 0, 0],
  rotation = [0, 0, 0, 1],
  scale = [1, 1, 1],
}: GltfNode): Transform {
  if (matrix) return matrix.filter((_, i) => i % 4 < 3);
  const length = Math.sqrt(rotation.reduce((sum, value) => sum + value * value, 0)) || 1;
  const [x, y, z, w] = rotation.map((value) => value / length);
  const [a, b, c] = scale;
  return [
    a * (1 - 2 * (y * y + z * z)),
    a * 2 * (x * y + z * w),
    a * 2 * (x * z - y * w),
    b * 2 * (x * y - z * w),
    b * (1 - 2 * (x * x + z * z)),
    b * 2 * (y * z + x * w),
    c * 2 * (x * z + y * w),
    c * 2 * (y * z - x * w),
    c * (1 - 2 * (x * x + y * y)),
    ...translation,
  ];
}

/** The primitives of a mesh that have facets. */
const solidPrimitives = ({ document }: GltfFile, mesh: number): readonly GltfPrimitive[] =>
  document.meshes[mesh].primitives.filter(
    ({ mode, attributes }) => mode >= TRIANGLES && mode <= FAN && attributes.POSITION !== undefined,
  );

/** Facets and vertices according to the accessors of a mesh. */
function sizeOf(
  gltf: GltfFile,
  mesh: number,
  refuse: ErrorFactory,
): { readonly facets: number; readonly vertices: number } {
  let [facets, vertices] = [0, 0];
  for (const primitive of solidPrimitives(gltf, mesh)) {
    const points = accessorAt(gltf, primitive.attributes.POSITION, "VEC3", refuse).count;
    const corners =
      primitive.indices === undefined ? points : accessorAt(gltf, primitive.indices, "SCALAR", refuse).count;
    vertices += points;
    facets += primitive.mode === TRIANGLES ? Math.floor(corners / 3) : trianglesOfStrip(corners);
  }
  return { facets, vertices };
}

/** The primitives of a mesh are the materials of one shape. */
function surfaceOf(gltf: GltfFile, mesh: number, refuse: ErrorFactory): Surface {
  const surfaces = solidPrimitives(gltf, mesh).map((primitive) => {
    const vertices = readPoints(gltf, accessorAt(gltf, primitive.attributes.POSITION, "VEC3", refuse), refuse);
    const count = vertices.length / 3;
    const corners =
      primitive.indices === undefined
        ? Uint32Array.from({ length: count }, (_, i) => i)
        : readIndices(gltf, accessorAt(gltf, primitive.indices, "SCALAR", refuse), refuse);
    const wrong = corners.find((corner) => corner >= count);
    if (wrong !== undefined) throw refuse(`a facet names vertex ${wrong}, and there are ${count}; export it again`);
    return { vertices, triangles: trianglesOf(corners, primitive.mode) };
  });
  return concatenateSurfaces(surfaces);
}

function trianglesOf(corners: Uint32Array, mode: number): Uint32Array {
  if (mode === TRIANGLES) return corners.subarray(0, corners.length - (corners.length % 3));
  const triangles = new Uint32Array(3 * trianglesOfStrip(corners.length));
  if (mode === STRIP) {
    writeStrip(triangles, 0, corners);
    return triangles;
  }
  for (let i = 2, at = 0; i < corners.length; i++, at += 3) triangles.set([corners[i - 1], corners[i], corners[0]], at);
  return triangles;
}
