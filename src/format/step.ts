import { Buffer } from "node:buffer";
import occtimportjs from "occt-import-js";
import type { Occt, OcctMesh } from "occt-import-js";
import { assetBytes } from "../core/asset.ts";
import { claimedAndFreeMemory } from "../core/memory-budget.ts";
import { fileError } from "../core/file-error.ts";
import { readWholeFile } from "../core/read-file.ts";
import type { FilePart, ModelReader, ReadOptions } from "./model-formats.ts";
import { claimModelBytes, requirePartCount } from "./model-size.ts";

/** The kernel needs several times the size of the file in memory, and has at most 4 GiB. */
const MAX_FILE_BYTES = 512 * 2 ** 20;
/** Finer tolerances are raised to these: no printer shows more, and the kernel would take minutes. */
const MIN_CHORDAL_TOLERANCE_MM = 0.001;
const MIN_ANGLE_TOLERANCE_DEG = 0.5;
/** Share of the progress when the kernel is done; the kernel itself reports none. */
const KERNEL_SHARE = 0.9;

/**
 * STEP AP203, AP214 and AP242 (ISO 10303), tessellated by OpenCASCADE. One part for each instance of a solid, named
 * after its product. Coordinates are in the file's length unit; a file without one is in millimetres.
 */
export const stepReader: ModelReader = {
  async read(file, options, progress) {
    progress.report(0);
    const bytes = readWholeFile(file, MAX_FILE_BYTES, (size) =>
      claimModelBytes(file, USUAL_KERNEL_BYTES + USUAL_BYTES_PER_FILE_BYTE * size),
    );
    const meshes = await tessellate(bytes, bounded(options)).catch((thrown: unknown) => {
      // Exceptions of the kernel itself (C++) have no text.
      const why = thrown instanceof Error ? ` (${thrown.message})` : "";
      throw fileError("read", file, `the CAD kernel failed on it${why}; ${COARSER}`);
    });
    progress.report(KERNEL_SHARE);
    requirePartCount(meshes?.length ?? 0);
    if (!meshes) throw fileError("read", file, `it is no STEP file, or it is damaged; ${ADVICE}`);
    const unitMm = lengthUnitMm(bytes) ?? 1;
    if (meshes.length === 0) throw fileError("read", file, `it holds no solid or surface; ${ADVICE}`);
    const lost = meshes.find(({ index }) => index.array.length === 0);
    if (lost) throw fileError("read", file, `the CAD kernel made no triangles of its part "${lost.name}"; ${COARSER}`);
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
  ...(name !== "" && { name }),
  surface: {
    vertices: Float64Array.from(attributes.position.array, (millimetres) => millimetres / unitMm),
    triangles: Uint32Array.from(corners.array),
  },
});

const RADIANS = Math.PI / 180;
const PAGE_BYTES = 65_536;

/**
 * Memory limit of the kernel: a constant, plus a multiple of the file's size. Valid files need a fraction of it, but a
 * damaged one can take OpenCASCADE through gigabytes and many seconds before it fails.
 */
const KERNEL_BYTES = 512 * 2 ** 20;
const KERNEL_BYTES_PER_FILE_BYTE = 100;

/** What valid files need, measured on as1-oc-214.stp and linkrods.step of OpenCASCADE. */
const USUAL_KERNEL_BYTES = 90 * 2 ** 20;
const USUAL_BYTES_PER_FILE_BYTE = 50;

let kernel: Promise<WebAssembly.Module> | undefined;

/**
 * Triangles in millimetres of each solid of a STEP file, and of each shell and face outside solids; undefined where
 * OpenCASCADE cannot read it. May reject with any value when the kernel fails.
 */
async function tessellate(file: Uint8Array, options: ReadOptions): Promise<readonly OcctMesh[] | undefined> {
  // A file that turns out to need more than is free fails in the kernel.
  const bound = Math.min(KERNEL_BYTES + KERNEL_BYTES_PER_FILE_BYTE * file.length, claimedAndFreeMemory());
  const occt = await instantiateKernel(bound);
  const { success, meshes } = occt.ReadStepFile(file, {
    linearUnit: "millimeter",
    linearDeflectionType: "absolute_value",
    linearDeflection: options.chordalToleranceMm,
    angularDeflection: options.angleToleranceDeg * RADIANS,
  });
  return success ? meshes : undefined;
}

/** The kernel, compiled once per thread, but with a new instance per file, so that its memory is freed and a trap is harmless. */
async function instantiateKernel(maxBytes: number): Promise<Occt> {
  kernel ??= WebAssembly.compile(assetBytes("occt-import-js.wasm")).catch((thrown: unknown) => {
    kernel = undefined;
    throw thrown;
  });
  const module = await kernel;
  return await occtimportjs({
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(module, imports);
      boundMemory(instance, maxBytes);
      receive(instance, module);
      return instance.exports;
    },
    print() {},
    printErr() {},
  });
}

/** Limits the memory of an instance to `maxBytes`: beyond that its allocations fail as when memory is exhausted. */
function boundMemory({ exports }: WebAssembly.Instance, maxBytes: number): void {
  for (const memory of Object.values(exports)) {
    if (!(memory instanceof WebAssembly.Memory)) continue;
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      if (memory.buffer.byteLength + pages * PAGE_BYTES > maxBytes) throw new RangeError("its memory bound is reached");
      return grow(pages);
    };
  }
}

/** Factors of the SI prefixes (ISO 10303-41, `si_prefix`). */
const PREFIXES: Readonly<Record<string, number>> = {
  EXA: 1e18,
  PETA: 1e15,
  TERA: 1e12,
  GIGA: 1e9,
  MEGA: 1e6,
  KILO: 1e3,
  HECTO: 1e2,
  DECA: 1e1,
  DECI: 1e-1,
  CENTI: 1e-2,
  MILLI: 1e-3,
  MICRO: 1e-6,
  NANO: 1e-9,
  PICO: 1e-12,
  FEMTO: 1e-15,
  ATTO: 1e-18,
};
const METRE_MM = 1000;

/** Longest entity instance that is examined; those of units have about a hundred characters. */
const MAX_INSTANCE_BYTES = 4096;

/**
 * Millimetres per length unit of a STEP file (ISO 10303-21): the unit that its representation contexts assign, SI or
 * converted from SI by a measure. Undefined where there is none, where contexts have different ones, and where its
 * definition is one that OpenCASCADE does not support: it then reads the file as millimetres.
 */
export function lengthUnitMm(file: Uint8Array): number | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const definitions = new Map([...instances(bytes, "LENGTH_UNIT"), ...instances(bytes, "MEASURE_WITH_UNIT")]);
  const units = new Set<number>();
  for (const [, context] of instances(bytes, "GLOBAL_UNIT_ASSIGNED_CONTEXT")) {
    const [, references = ""] = /GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\s*\(([^)]*)\)/.exec(context) ?? [];
    for (const id of references.match(/#\d+/g) ?? []) {
      const unitMm = unitOf(definitions, id);
      if (unitMm > 0 && Number.isFinite(unitMm)) units.add(Number(unitMm.toPrecision(SIGNIFICANT_DIGITS)));
    }
  }
  return units.size === 1 ? [...units][0] : undefined;
}

/** Rounding to this many digits removes binary rounding errors from products of decimal numbers. */
const SIGNIFICANT_DIGITS = 12;

/** Millimetres per unit of the instance with an id; NaN where it is no length unit. */
function unitOf(definitions: ReadonlyMap<string, string>, id: string): number {
  const unit = definitions.get(id) ?? "";
  const [, measureId] = /CONVERSION_BASED_UNIT\s*\(\s*'[^']*'\s*,\s*(#\d+)\s*\)/.exec(unit) ?? [];
  if (measureId === undefined) return siUnitOf(unit);
  const measure = /=\s*(?:LENGTH_)?MEASURE_WITH_UNIT\s*\(\s*LENGTH_MEASURE\s*\(([^)]*)\)\s*,\s*(#\d+)\s*\)/;
  const [, factor, baseId = ""] = measure.exec(definitions.get(measureId) ?? "") ?? [];
  return Number(factor) * siUnitOf(definitions.get(baseId) ?? "");
}

function siUnitOf(unit: string): number {
  const [found, prefix] = /SI_UNIT\s*\(\s*(?:\$|\.(\w+)\.)\s*,\s*\.METRE\.\s*\)/.exec(unit) ?? [];
  if (found === undefined) return NaN;
  return METRE_MM * (prefix === undefined ? 1 : PREFIXES[prefix]);
}

/** The entity instances `#id = …` that contain a keyword, with their ids. */
function* instances(bytes: Buffer, keyword: string): Generator<[id: string, text: string]> {
  for (let at = bytes.indexOf(keyword); at >= 0; at = bytes.indexOf(keyword, at + keyword.length)) {
    const before = bytes.toString("latin1", Math.max(0, at - MAX_INSTANCE_BYTES), at);
    const after = bytes.toString("latin1", at, at + MAX_INSTANCE_BYTES);
    const text = before.slice(before.lastIndexOf(";") + 1) + after.slice(0, after.indexOf(";") + 1);
    const [, id] = /^\s*(#\d+)\s*=/.exec(text) ?? [];
    if (id !== undefined) yield [id, text];
  }
}
