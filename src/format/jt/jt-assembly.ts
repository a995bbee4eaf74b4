import { fileError } from "../../core/file-error.ts";
import type { Progress } from "../../core/progress.ts";
import { IDENTITY_TRANSFORM, type Transform, compose, stretchOf } from "../../geometry/transform.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { partFilesBeside, realPath } from "../file-beside.ts";
import { requirePartCount } from "../model-size.ts";
import { type JtModel, readJtModel, sizeOf } from "./jt-model.ts";
import { MAX_VISITS, inUnit } from "./scene-graph.ts";

/** A file of an assembly, with the real paths of the files to which it refers, by the names in it. */
interface AssemblyFile extends JtModel {
  readonly paths: ReadonlyMap<string, string>;
}

/** A placed part, in the unit of the first file. */
export interface JtPart {
  readonly name: string | undefined;
  readonly shapes: readonly { readonly surface: Surface; readonly transform: Transform }[];
  /** Largest distance of the mesh from the exact surfaces, if the file states it. */
  readonly deviationMm: number | undefined;
}

export interface JtAssembly {
  /** In the order of the graph. A part that is used several times is listed once per use. */
  readonly parts: readonly JtPart[];
  readonly unitMm: number | undefined;
  /** All files, starting with the requested one. */
  readonly files: readonly JtModel[];
}

/** Deepest nesting of assemblies in separate files. */
const MAX_NESTED_FILES = 32;

/**
 * Reads a JT file and, once each, the files to which it refers; these are in its folder or below, or, by their names without folders,
 * in the same folder (ISO 14306:2012, 7.2.1.1.1.2, "Partition node element").
 */
export async function readJtAssembly(file: string, progress: Progress): Promise<JtAssembly> {
  const first = realPath(file) ?? file;
  const files = new Map<string, AssemblyFile>();
  const known = new Set([first]);
  let done = 0;
  // Iterating a set also visits entries that are added meanwhile.
  for (const path of known) {
    const share = done + (1 - done) / (known.size - files.size);
    const name = path === first ? file : path;
    const held = sizeOf([...files.values()].flatMap(({ surfaces }) => [...surfaces.values()]));
    const model = await readJtModel(name, file, held, progress.part(done, share));
    done = share;
    const names = model.graph.uses.flatMap((use) => ("file" in use ? [use.file] : []));
    const paths = partFilesBeside(path, names, "JT", (why) => fileError("read", name, why));
    for (const other of paths.values()) known.add(other);
    files.set(path, { ...model, paths });
  }
  const unitMm = [...files.values()].map(({ graph }) => graph.unitMm).find((mm) => mm !== undefined);
  return { parts: partsOf(file, first, unitMm, files), unitMm, files: [...files.values()] };
}

/** The placed parts of all files, one per use. */
function partsOf(
  file: string,
  first: string,
  unitMm: number | undefined,
  files: ReadonlyMap<string, AssemblyFile>,
): JtPart[] {
  const refuse = (why: string): Error => fileError("read", file, `${why}; export the assembly as one JT file`);
  const parts: JtPart[] = [];
  let visits = 0;
  function visit(path: string, above: Transform, name: string | undefined, within: readonly string[]): void {
    if (within.includes(path) || within.length === MAX_NESTED_FILES) {
      throw refuse("the assembly refers to itself, or to files nested too deep");
    }
    const { graph, surfaces, paths } = files.get(path)!;
    for (const use of graph.uses) {
      visits += "shapes" in use ? use.shapes.length : 1;
      if (visits > MAX_VISITS) throw refuse(`it has more than ${MAX_VISITS} uses of files and shapes`);
      if ("shapes" in use) {
        const shapes = use.shapes.map(({ segment, transform }) => ({
          surface: surfaces.get(segment)!,
          transform: compose(transform, above),
        }));
        const { chordal } = use;
        const deviations = shapes.map(
          ({ surface, transform }) => ((chordal ?? 0) + surface.rounding) * stretchOf(transform) * (unitMm ?? 1),
        );
        const deviationMm = chordal === undefined ? undefined : deviations.reduce((a, b) => Math.max(a, b));
        parts.push({ name: use.name ?? name, shapes, deviationMm });
        requirePartCount(parts.length);
      } else {
        const other = paths.get(use.file)!;
        const { transform } = inUnit(use.place, files.get(other)!.graph.unitMm, graph.unitMm ?? unitMm);
        visit(other, compose(transform, above), use.name, [...within, path]);
      }
    }
  }
  visit(first, IDENTITY_TRANSFORM, undefined, []);
  return parts;
}
