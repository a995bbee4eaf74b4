import type {
  Brep,
  Extrusion,
  File3dm,
  GeometryBase,
  Mesh,
  RhinoModule,
  SubD,
  Surface as RhinoSurface,
} from "rhino3dm";
import { ApiError, type ErrorFactory } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { CancelledError, type Progress } from "../../core/progress.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { scaled, stretchOf } from "../../geometry/transform.ts";
import { type Surface, concatenateSurfaces, triangleCount, vertexCount } from "../../mesh/mesh.ts";
import type { FilePart, ModelFile, ModelReader, ReadOptions } from "../model-reader.ts";
import { MAX_CAD_FILE_BYTES, claimModelBytes, claimModelSize } from "../model-size.ts";
import { countSentence } from "../message-names.ts";
import { placeSurface } from "../place-surface.ts";
import { prepareKernel } from "../occt/kernel.ts";
import { type NamedBrep, stepTexts } from "./brep-step.ts";
import { surfacesOfBreps, surfacesOfBrepStep } from "./brep-surfaces.ts";
import { hasWholeTables, isRhinoFile, namesSolids, objectRecords } from "./rhino-chunks.ts";
import { type Own, newHandles, enumValue, rhinoLibrary, withHandles } from "./rhino-library.ts";
import { surfaceOfMesh, surfaceOfSubD } from "./rhino-mesh.ts";
import { type PlacedObject, placedObjects } from "./rhino-objects.ts";

const LIBRARY_BYTES = 60 * 2 ** 20;
const LIBRARY_BYTES_PER_FILE_BYTE = 6;

const ADVICE = "save it again in Rhino, or export it as STEP, 3MF or STL";
/** Fraction of the progress when the library has read the file. */
const READ_SHARE = 0.1;

/**
 * Rhino's `.3dm`, read by rhino3dm: Breps, extrusions and surfaces are tessellated by OpenCASCADE, meshes are kept, SubD is
 * subdivided, blocks are placed. One part for each visible object, named after it, its block or its layer. If OpenCASCADE fails,
 * the display mesh that Rhino saved is used, with a warning. Coordinates are in the file's unit.
 */
export const rhinoReader: ModelReader = {
  read: (file, options, progress) => withDocument(file, progress, (source, rest) => readModel(source, options, rest)),
  sharing: {
    async divide(file, options, progress) {
      // Reading meshes takes no longer than finding out that a file has nothing else.
      if (!namesSolids(readRhinoFile(file))) return { texts: [], options };
      const texts = await withDocument(file, progress, async (source, rest) => textsOfBreps(source, options, rest));
      await prepareKernel();
      return { texts, options };
    },
    make: async (text, file, options, progress) => (await surfacesOfBrepStep(text, file, options, progress)) ?? [],
  },
};

const readRhinoFile = (file: string): Uint8Array<ArrayBuffer> =>
  readWholeFile(file, MAX_CAD_FILE_BYTES, (size) =>
    claimModelBytes(file, LIBRARY_BYTES + LIBRARY_BYTES_PER_FILE_BYTE * size),
  );

/** The result of `work` on the file as the library has read it, with the remaining progress. */
async function withDocument<T>(
  file: string,
  progress: Progress,
  work: (source: Source, progress: Progress) => Promise<T>,
): Promise<T> {
  progress.report(0);
  const refuse: ErrorFactory = (why) => fileError("read", file, why);
  const bytes = readRhinoFile(file);
  if (!isRhinoFile(bytes)) throw refuse(`it is no Rhino file; ${ADVICE}`);
  if (!hasWholeTables(bytes)) throw refuse(`it is damaged, or was cut short; ${ADVICE}`);
  const { own, release } = newHandles();
  try {
    const rhino = await rhinoLibrary(bytes.length, progress);
    const document = own(rhino.File3dm.fromByteArray(bytes));
    if (!document) throw refuse(`it is damaged; ${ADVICE}`);
    progress.report(READ_SHARE);
    const lost = Math.max(0, objectRecords(bytes) - own(document.objects()).count);
    return await work({ rhino, document, own, file, refuse, lost }, progress.part(READ_SHARE, 1));
  } catch (thrown) {
    if (thrown instanceof ApiError || thrown instanceof CancelledError) throw thrown;
    // Traps of the library, and its exceptions (C++), which have no text.
    const why = thrown instanceof Error ? ` (${thrown.message})` : "";
    throw refuse(`Rhino's library failed on it${why}; ${ADVICE}`);
  } finally {
    release();
  }
}

interface Source {
  readonly rhino: RhinoModule;
  readonly document: File3dm;
  readonly own: Own;
  readonly file: string;
  readonly refuse: ErrorFactory;
  /** Number of objects of the file that the library has not read. */
  readonly lost: number;
}

/** The objects of a file with a surface, and their unit. */
function modelOf({ rhino, document, own, refuse, lost }: Source, options: ReadOptions) {
  const { unitMm, tolerance } = settingsOf(rhino, document);
  const sizeMm = options.unitMm ?? unitMm ?? 1;
  const { objects, hidden, unread, broken } = placedObjects(rhino, document, own, refuse);
  const losses = [
    ...countSentence("Objects of the file that are damaged, and that the model lacks", lost),
    ...countSentence("Blocks that lack objects", broken.length, broken),
  ];
  const warnings = [
    ...countSentence("Objects that are left out, since they or their layers are hidden", hidden.length, hidden),
    ...countSentence("Objects of kinds that are not read", unread.length, unread),
  ];
  if (objects.length === 0)
    throw refuse("it holds no visible mesh, solid or surface; show what is hidden, or export it again");
  const scaleOf = ({ placement }: PlacedObject): number => sizeMm * stretchOf(placement);
  return { unitMm, toleranceMm: tolerance * sizeMm, objects, scaleOf, losses, warnings };
}

/** The Breps of a file as STEP, each once per size at which it is placed. */
function textsOfBreps(source: Source, options: ReadOptions, progress: Progress): Uint8Array[] {
  const { toleranceMm, objects, scaleOf } = modelOf(source, options);
  const breps = new Map<string, NamedBrep>();
  for (const [i, object] of objects.entries()) {
    progress.report((0.1 * i) / objects.length);
    const key = keyOf(object);
    if (breps.has(key) || isDirect(source, object.geometry)) continue;
    breps.set(key, { name: key, brep: brepOf(source, object), unitMm: scaleOf(object) });
  }
  const texts: Uint8Array[] = [];
  let written = 0;
  for (const { breps: some, text } of stepTexts([...breps.values()], toleranceMm)) {
    written += some.length;
    progress.report(0.1 + (0.9 * written) / breps.size);
    texts.push(new TextEncoder().encode(text));
  }
  return texts;
}

async function readModel(source: Source, options: ReadOptions, progress: Progress): Promise<ModelFile> {
  const { unitMm, objects, losses, warnings: leftOut, ...model } = modelOf(source, options);
  const { shapes, warnings, isCad } = await shapesOfObjects(source, { objects, ...model }, options, progress);
  const placed = objects.map((object) => shapes.get(keyOf(object))!);
  const size = {
    facets: placed.reduce((sum, surface) => sum + triangleCount(surface), 0),
    vertices: placed.reduce((sum, surface) => sum + vertexCount(surface), 0),
    parts: placed.length,
  };
  claimModelSize(source.file, size, source.refuse);
  const parts = objects.map((object, index): FilePart => {
    const { name, placement } = object;
    return { index, ...(name !== "" && { name }), surface: placeSurface(placed[index], placement) };
  });
  const allWarnings = [...leftOut, ...warnings];
  return {
    parts,
    ...(unitMm !== undefined && { unitMm }),
    ...(isCad && { separateFaces: { deviationMm: options.chordalToleranceMm } }),
    ...(losses.length > 0 && { losses: [...losses, `Save it again in Rhino, or take another copy of it.`] }),
    ...(allWarnings.length > 0 && { warnings: allWarnings }),
  };
}

/** The shapes of objects in their own coordinates, by {@link keyOf}: tolerances apply to the scaled object. */
interface ObjectShapes {
  readonly shapes: ReadonlyMap<string, Surface>;
  readonly warnings: readonly string[];
  /** Whether any of them was tessellated. */
  readonly isCad: boolean;
}

async function shapesOfObjects(
  source: Source,
  { objects, scaleOf, toleranceMm }: Pick<ReturnType<typeof modelOf>, "objects" | "scaleOf" | "toleranceMm">,
  options: ReadOptions,
  progress: Progress,
): Promise<ObjectShapes> {
  const shapes = new Map<string, Surface>();
  const before = new Map(options.made);
  const breps = new Map<string, NamedBrep>();
  for (const [i, object] of objects.entries()) {
    progress.report((0.3 * i) / objects.length);
    const key = keyOf(object);
    if (shapes.has(key) || breps.has(key)) continue;
    const scale = scaleOf(object);
    const surface = before.get(key);
    if (surface) shapes.set(key, placeSurface(surface, scaled(1 / scale)));
    else if (isDirect(source, object.geometry)) {
      shapes.set(key, directSurface(source, object.geometry, options.chordalToleranceMm / scale));
    } else breps.set(key, { name: key, brep: brepOf(source, object), unitMm: scale });
  }
  const made = new Map(await surfacesOfBreps([...breps.values()], source.file, options, toleranceMm, progress));
  progress.report(0.8);
  const warnings: string[] = [];
  for (const object of objects) {
    const key = keyOf(object);
    if (shapes.has(key)) continue;
    const surface = made.get(key);
    if (surface) {
      shapes.set(key, placeSurface(surface, scaled(1 / breps.get(key)!.unitMm)));
      continue;
    }
    shapes.set(key, savedSurface(source, object, breps.get(key)!.brep));
    warnings.push(
      `"${object.name}" is the mesh that Rhino displayed, since the CAD kernel failed on its surfaces: chordal_tolerance_um and angle_tolerance_deg do not hold for it. Export it as STEP for a finer one.`,
    );
  }
  return { shapes, warnings, isCad: breps.size + before.size > 0 };
}

/** Placements of a block that differ by a rotation share the triangles of its objects; rounding makes equal keys. */
const keyOf = ({ id, placement }: PlacedObject): string => `${id} ${stretchOf(placement).toPrecision(STRETCH_DIGITS)}`;
const STRETCH_DIGITS = 6;

/** Millimetres per unit, by the names of the library (`ON::LengthUnitSystem`). */
const UNITS_MM: Readonly<Record<string, number>> = {
  Angstroms: 1e-7,
  Nanometers: 1e-6,
  Microns: 1e-3,
  Millimeters: 1,
  Centimeters: 10,
  Decimeters: 100,
  Meters: 1000,
  Dekameters: 1e4,
  Hectometers: 1e5,
  Kilometers: 1e6,
  Microinches: 25.4e-6,
  Mils: 0.0254,
  Inches: 25.4,
  Feet: 304.8,
  Yards: 914.4,
  Miles: 1_609_344,
  PrinterPoints: 25.4 / 72,
  PrinterPicas: 25.4 / 6,
};

function settingsOf(rhino: RhinoModule, document: File3dm): { readonly unitMm?: number; readonly tolerance: number } {
  return withHandles((own) => {
    const settings = own(document.settings());
    const unit = enumValue(settings.modelUnitSystem);
    const systems = rhino.UnitSystem as unknown as Readonly<Record<string, unknown>>;
    const [, unitMm] = Object.entries(UNITS_MM).find(([name]) => enumValue(systems[name]) === unit) ?? [];
    const { modelAbsoluteTolerance } = settings;
    const tolerance =
      modelAbsoluteTolerance > 0 && modelAbsoluteTolerance < 1 ? modelAbsoluteTolerance : USUAL_TOLERANCE;
    return { ...(unitMm !== undefined && { unitMm }), tolerance };
  });
}

/** Rhino's default, in units of the file. */
const USUAL_TOLERANCE = 0.001;

/** Whether an object needs no tessellation. */
const isDirect = ({ rhino }: Source, { objectType }: GeometryBase): boolean =>
  objectType === rhino.ObjectType.Mesh || objectType === rhino.ObjectType.SubD;

/** The triangles of an object that needs no tessellation; `tolerance` in its coordinates. */
const directSurface = ({ rhino, refuse }: Source, geometry: GeometryBase, tolerance: number): Surface =>
  geometry.objectType === rhino.ObjectType.Mesh
    ? surfaceOfMesh(geometry as Mesh, refuse)
    : surfaceOfSubD(rhino, geometry as SubD, tolerance, refuse);

function brepOf({ rhino, own, refuse }: Source, { geometry, name }: PlacedObject): Brep {
  const { Extrusion: extrusion, Brep: brep } = rhino.ObjectType;
  if (geometry.objectType === brep) return geometry as Brep;
  const made: Brep | null =
    geometry.objectType === extrusion
      ? (geometry as Extrusion).toBrep(true)
      : rhino.Brep.createFromSurface(geometry as RhinoSurface);
  if (!made) throw refuse(`its object "${name}" has no surface that can be read; ${ADVICE}`);
  return own(made);
}

/** The display triangles of an object that Rhino saved, in its coordinates. Throws if there are none, or not for all faces. */
function savedSurface({ rhino, refuse }: Source, { geometry, name }: PlacedObject, brep: Brep): Surface {
  const { Any } = rhino.MeshType;
  return withHandles((own) => {
    const faces = own(brep.faces());
    const meshes: (Mesh | null)[] =
      geometry.objectType === rhino.ObjectType.Extrusion
        ? [own((geometry as Extrusion).getMesh(Any))]
        : Array.from({ length: faces.count }, (_, i) => own(own(faces.get(i)).getMesh(Any)));
    const saved = meshes.filter((mesh) => mesh !== null);
    if (saved.length < meshes.length || saved.length === 0) {
      throw refuse(
        `the CAD kernel failed on its object "${name}", and Rhino saved no mesh of it; export it from Rhino as STEP or STL`,
      );
    }
    return concatenateSurfaces(saved.map((mesh) => surfaceOfMesh(mesh, refuse)));
  });
}
