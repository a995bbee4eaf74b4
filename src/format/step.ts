import type { OcctMesh } from "occt-import-js";
import { readWholeFile } from "../core/read-file.ts";
import { fileFault } from "../core/system-error.ts";
import type { FilePart, ModelReader, ReadOptions } from "./reader.ts";
import { lengthUnitMm } from "./step/length-unit.ts";
import { tessellate } from "./step/tessellate.ts";

/** The kernel needs several times as much memory as the file has bytes, and has at most 4 GiB. */
const MAX_FILE_BYTES = 512 * 2 ** 20;
/** Finer than any printer shows, and fine enough to keep the kernel busy for minutes: finer wishes get this. */
const MIN_CHORDAL_TOLERANCE_MM = 0.001;
const MIN_ANGLE_TOLERANCE_DEG = 0.5;
/** Where the watch stands once the kernel is done, which cannot tell how far it is. */
const KERNEL_SHARE = 0.9;

/**
 * STEP AP203, AP214 and AP242 (ISO 10303), made into triangles by OpenCASCADE. One part for each solid, each instance
 * in an assembly counted, named after its product. Coordinates are handed out in the file's length unit; a file without
 * one is in millimetres.
 */
export const stepReader: ModelReader = {
  async read(file, options, watch) {
    watch.report(0);
    const bytes = readWholeFile(file, MAX_FILE_BYTES);
    const meshes = await tessellate(bytes, bounded(options)).catch((thrown: unknown) => {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw fileFault("read", file, `the CAD kernel failed on it (${why}); ${COARSER}`);
    });
    watch.report(KERNEL_SHARE);
    if (!meshes) throw fileFault("read", file, `it is no STEP file, or it is damaged; ${ADVICE}`);
    const unitMm = lengthUnitMm(bytes) ?? 1;
    if (meshes.length === 0) throw fileFault("read", file, `it holds no solid or surface; ${ADVICE}`);
    const lost = meshes.find(({ index }) => index.array.length === 0);
    if (lost) throw fileFault("read", file, `the CAD kernel made no triangles of its part "${lost.name}"; ${COARSER}`);
    return { parts: meshes.map((mesh, index) => toPart(mesh, index, unitMm)), unitMm };
  },
};

const bounded = ({ chordalToleranceMm, angleToleranceDeg }: ReadOptions): ReadOptions => ({
  chordalToleranceMm: Math.max(chordalToleranceMm, MIN_CHORDAL_TOLERANCE_MM),
  angleToleranceDeg: Math.max(angleToleranceDeg, MIN_ANGLE_TOLERANCE_DEG),
});

const ADVICE = "export the model again as STEP AP214 or AP242, or as STL";
const COARSER = `import it with a coarser chordal_tolerance_um, or ${ADVICE}`;

const toPart = ({ name, attributes, index: corners }: OcctMesh, index: number, unitMm: number): FilePart => ({
  index,
  name: name || undefined,
  surface: {
    vertices: Float64Array.from(attributes.position.array, (millimetres) => millimetres / unitMm),
    triangles: Uint32Array.from(corners.array),
  },
});
