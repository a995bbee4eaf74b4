import type { ErrorFactory } from "../../core/api-error.ts";
import type { GltfFile } from "./gltf-buffers.ts";
import type { GltfAccessor } from "./gltf-document.ts";

interface ComponentType {
  readonly bytes: number;
  /** The largest value; normalised numbers are fractions of it. */
  readonly most: number;
  read(view: DataView, at: number): number;
}

/** glTF 2.0, section 3.6.2.2. */
const COMPONENT_TYPES: Readonly<Record<number, ComponentType>> = {
  5120: { bytes: 1, most: 127, read: (view, at) => view.getInt8(at) },
  5121: { bytes: 1, most: 255, read: (view, at) => view.getUint8(at) },
  5122: { bytes: 2, most: 32_767, read: (view, at) => view.getInt16(at, true) },
  5123: { bytes: 2, most: 65_535, read: (view, at) => view.getUint16(at, true) },
  5125: { bytes: 4, most: 2 ** 32 - 1, read: (view, at) => view.getUint32(at, true) },
  5126: { bytes: 4, most: 1, read: (view, at) => view.getFloat32(at, true) },
};
const FLOAT = 5126;
const INDEX_TYPES: ReadonlySet<number> = new Set([5121, 5123, 5125]);

/** The accessor of an index. Throws if it is missing or of another type. */
export function accessorAt(
  { document }: GltfFile,
  index: number,
  type: "SCALAR" | "VEC3",
  refuse: ErrorFactory,
): GltfAccessor {
  const accessor = document.accessors.at(index);
  if (accessor?.type !== type || COMPONENT_TYPES[accessor.componentType] === undefined) {
    throw refuse(`its accessor ${index} is missing, or not of type ${type}; export it again`);
  }
  if (accessor.bufferView === undefined && !accessor.sparse) {
    throw refuse(`its accessor ${index} has no data; export it again without compression of meshes`);
  }
  return accessor;
}

/** The corners that an accessor lists: whole numbers. */
export function readIndices(file: GltfFile, accessor: GltfAccessor, refuse: ErrorFactory): Uint32Array {
  const indices = new Uint32Array(accessor.count);
  if (!INDEX_TYPES.has(accessor.componentType))
    throw refuse("a list of corners holds no whole numbers; export it again");
  readValues(file, accessor, 1, indices, refuse);
  return indices;
}

/** The points that an accessor lists, x, y, z each. Throws for one that is not finite. */
export function readPoints(file: GltfFile, accessor: GltfAccessor, refuse: ErrorFactory): Float32Array {
  const points = new Float32Array(3 * accessor.count);
  readValues(file, accessor, 3, points, refuse);
  const wrong = points.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0)
    throw refuse(`vertex ${Math.floor(wrong / 3)} has a coordinate that is not a finite number; export it again`);
  return points;
}

function readValues(
  file: GltfFile,
  accessor: GltfAccessor,
  width: number,
  into: Float32Array | Uint32Array,
  refuse: ErrorFactory,
): void {
  const { bufferView, byteOffset, componentType, normalized, count, sparse } = accessor;
  const type = COMPONENT_TYPES[componentType];
  const share = normalized && componentType !== FLOAT ? type.most : 1;
  const value = (view: DataView, at: number): number =>
    Math.max(type.read(view, at) / share, share === 1 ? -Infinity : -1);
  if (bufferView !== undefined) {
    const { view, stride } = elements(file, bufferView, byteOffset, width * type.bytes, count, refuse);
    for (let i = 0, to = 0; i < count; i++) {
      for (let k = 0; k < width; k++) into[to++] = value(view, i * stride + k * type.bytes);
    }
  }
  if (!sparse) return;
  if (sparse.count > count || !INDEX_TYPES.has(sparse.indices.componentType)) {
    throw refuse("a list of changed values is longer than what it changes, or holds no whole numbers; export it again");
  }
  const indexType = COMPONENT_TYPES[sparse.indices.componentType];
  const at = elements(
    file,
    sparse.indices.bufferView,
    sparse.indices.byteOffset,
    indexType.bytes,
    sparse.count,
    refuse,
  );
  const changed = elements(
    file,
    sparse.values.bufferView,
    sparse.values.byteOffset,
    width * type.bytes,
    sparse.count,
    refuse,
  );
  for (let i = 0; i < sparse.count; i++) {
    const index = indexType.read(at.view, i * at.stride);
    if (index >= count) throw refuse(`a changed value is number ${index} of ${count}; export it again`);
    for (let k = 0; k < width; k++) into[index * width + k] = value(changed.view, i * changed.stride + k * type.bytes);
  }
}

/** The bytes of `count` elements, and the stride between them. Throws if the view or its buffer has fewer. */
function elements(
  { document, bytes }: GltfFile,
  index: number,
  byteOffset: number,
  elementBytes: number,
  count: number,
  refuse: ErrorFactory,
): { readonly view: DataView; readonly stride: number } {
  const bufferView = document.bufferViews.at(index);
  if (!bufferView) throw refuse(`its buffer view ${index} is missing; export it again`);
  const { buffer, byteLength, byteStride: stride = elementBytes } = bufferView;
  const needed = count === 0 ? 0 : byteOffset + stride * (count - 1) + elementBytes;
  if (stride < elementBytes || needed > byteLength) {
    throw refuse(`its buffer view ${index} has ${byteLength} bytes, and ${needed} are used; export it again`);
  }
  const data = count === 0 ? new Uint8Array() : bytes(buffer, bufferView.byteOffset + byteOffset, needed - byteOffset);
  return { view: new DataView(data.buffer, data.byteOffset, data.byteLength), stride };
}
