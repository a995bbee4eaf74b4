import { must } from "../../core/must.ts";
import { addSelfIntersectionFact } from "../../mesh/mesh-facts.ts";
import { type Mesh, triangleCount } from "../../mesh/mesh.ts";
import type { Compute } from "../../worker/compute.ts";
import { computeChunks } from "../chunk-tasks.ts";
import type { ImportedFile } from "./import-file.ts";
import type { ImportRequest } from "./stored-file.ts";
import { SEARCH_SHARES, beginImportTask, checkFileTask, planSearchTask, searchShareTask } from "./task.ts";

/** Processor time of the search for a facet, ms: a gyroid of 2.4 million facets takes 2.1 s. */
const FACET_MS = 0.0009;
/** One thread searches a smaller mesh in half a second, and other threads would first have to compile the search. */
const MIN_FACETS = 500_000;

/**
 * Reads a model file and repairs its meshes as `importFile` does, with the same result. Threads search the large meshes for
 * self-intersections while another one checks and repairs all meshes as if these had none. Where that is wrong they are repaired again.
 */
export async function importSearched(
  request: ImportRequest,
  context: Compute,
  minFacets = MIN_FACETS,
): Promise<ImportedFile> {
  const begun = await context.compute(beginImportTask, { ...request, minSearchedFacets: minFacets });
  if ("imported" in begun) return begun.imported;
  const file = begun.stored;
  const large = file.parts.flatMap(({ mesh }) => (triangleCount(mesh) < minFacets ? [] : mesh));
  const hashesOf = (meshes: readonly Mesh[]): Set<string> => new Set(meshes.map(({ hash }) => hash));
  const [imported, free] = await Promise.allSettled([
    context.compute(checkFileTask, { request, file, intersectionFree: hashesOf(large) }),
    intersectionFreeOf(large, context),
  ]);
  if (free.status === "fulfilled") {
    const isRight = free.value.length === large.length;
    if (isRight && imported.status === "fulfilled") return imported.value;
    return context.compute(checkFileTask, { request, file, intersectionFree: hashesOf(free.value) });
  }
  // If memory does not suffice for both, the repair searches by itself. A request that was cancelled ends here.
  return context.compute(checkFileTask, { request, file });
}

/**
 * The meshes of which it is known that no facets intersect, and those with gaps: their repair closes these first, and then searches. The
 * search has given up on the others, or found an intersection.
 */
async function intersectionFreeOf(meshes: readonly Mesh[], context: Compute): Promise<Mesh[]> {
  const free: Mesh[] = [];
  for (const [index, mesh] of meshes.entries()) {
    const search = await context.compute(planSearchTask, { input: mesh, index, count: meshes.length });
    const shares = {
      count: search ? SEARCH_SHARES : 0,
      inputOf: (share: number) => ({
        input: { search: must(search, "A planned search"), share },
        index: index * SEARCH_SHARES + share,
        count: meshes.length * SEARCH_SHARES,
      }),
      workMs: FACET_MS * triangleCount(mesh),
    };
    const answers = await Array.fromAsync(computeChunks(searchShareTask, shares, context));
    const intersects = answers.includes(true);
    const isKnown = intersects || !answers.includes(undefined);
    if (search && isKnown) addSelfIntersectionFact(mesh, intersects);
    if (isKnown && !intersects) free.push(mesh);
  }
  return free;
}
