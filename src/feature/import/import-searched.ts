import { mapConcurrent } from "../../core/map-concurrent.ts";
import { type Mesh, triangleCount } from "../../mesh/mesh.ts";
import type { RequestContext } from "../../api/endpoint.ts";
import type { ImportedFile } from "./import-file.ts";
import type { ImportRequest } from "./stored-file.ts";
import { SEARCH_SHARES, checkFileTask, planSearchTask, searchShareTask, storeFileTask } from "./task.ts";

/** One thread searches a smaller mesh in half a second, and other threads would first have to compile the search. */
const MIN_FACETS = 500_000;

/**
 * Reads a model file as `importFile` does, with the same result, but all threads search large meshes for self-intersections before one of
 * them repairs these.
 */
export async function importSearched(
  request: ImportRequest,
  compute: RequestContext["compute"],
  minFacets = MIN_FACETS,
): Promise<ImportedFile> {
  const file = await compute(storeFileTask, request);
  const large = file.parts.flatMap(({ mesh }) => (triangleCount(mesh) < minFacets ? [] : mesh));
  const crossings = new Map<string, boolean>();
  for (const [index, mesh] of large.entries()) {
    const intersects = await searchOnThreads(mesh, { index, count: large.length }, compute);
    if (intersects !== undefined) crossings.set(mesh.hash, intersects);
  }
  return compute(checkFileTask, { request, file, crossings });
}

/** Whether facets of a mesh intersect; undefined where it has gaps, which a repair closes first, and where the search takes too long. */
async function searchOnThreads(
  mesh: Mesh,
  { index, count }: { readonly index: number; readonly count: number },
  compute: RequestContext["compute"],
): Promise<boolean | undefined> {
  const search = await compute(planSearchTask, { input: mesh, index, count });
  if (!search) return undefined;
  const answers = await Array.fromAsync(
    mapConcurrent(SEARCH_SHARES, (share) =>
      compute(searchShareTask, {
        input: { search, share },
        index: index * SEARCH_SHARES + share,
        count: count * SEARCH_SHARES,
      }),
    ),
  );
  if (answers.includes(true)) return true;
  return answers.includes(undefined) ? undefined : false;
}
