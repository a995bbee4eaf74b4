import type { Progress } from "../../core/progress.ts";
import { toSharedMemory } from "../../core/typed-arrays.ts";
import { extensionOf, readerFor } from "../../format/model-formats.ts";
import type { DividedFile, NamedSurface, ReadOptions, ShapeFrame, ShapeSharing } from "../../format/model-reader.ts";

/** A file whose shapes several threads tessellate; its extension is one of `SHARED_EXTENSIONS`. */
export interface SharedFile {
  readonly file: string;
  readonly options: ReadOptions;
}

/** The shapes of a file in several texts, each for {@link makeShare}. */
export const divideFile = async ({ file, options }: SharedFile, progress: Progress): Promise<DividedFile> =>
  (await sharingOf(file)).divide(file, options, progress);

/** The triangles of the shapes in a text of a file, on memory that threads share. */
export async function makeShare(
  { text, file, options }: SharedFile & { readonly text: Uint8Array },
  progress: Progress,
): Promise<NamedSurface[]> {
  const made = await (await sharingOf(file)).make(text, file, options, progress);
  return made.map(([name, surface]) => [
    name,
    { ...surface, vertices: toSharedMemory(surface.vertices), triangles: toSharedMemory(surface.triangles) },
  ]);
}

/** The places of the shapes in the frame of a divided file. */
export async function makeFrame(
  { text, file, options }: SharedFile & { readonly text: Uint8Array },
  progress: Progress,
): Promise<ShapeFrame | undefined> {
  return (await sharingOf(file)).frame?.(text, file, options, progress);
}

async function sharingOf(file: string): Promise<ShapeSharing> {
  const { sharing } = await readerFor(extensionOf(file))!;
  return sharing!;
}
