import { fileFault } from "../../core/system-error.ts";
import type { Watch } from "../../core/watch.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { MAX_ZIP_ENTRIES } from "../zip-directory.ts";
import { type ZipEntry, zipChunks } from "../zip-writer.ts";
import { type FormDocument, meshesOf } from "./document.ts";
import { checkManifest, MANIFEST_NAME, MAX_MANIFEST_BYTES, toManifest } from "./manifest.ts";
import { meshEntryName, meshPieces } from "./mesh-entry.ts";

/** With the manifest, the most files that the zip reader accepts in one archive. */
const MAX_MESHES = MAX_ZIP_ENTRIES - 1;

/**
 * Writes the document as a `.form` file, whole or not at all; equal documents give equal bytes. OPERATION_FAILED where
 * the file cannot be written or could not be read again.
 */
export async function writeForm(path: string, document: FormDocument, watch: Watch): Promise<void> {
  const refuse = (why: string) => fileFault("write", path, why);
  const manifest = new TextEncoder().encode(JSON.stringify(checkManifest(toManifest(document), refuse)));
  const meshes = meshEntries(document);
  if (manifest.length > MAX_MANIFEST_BYTES || meshes.length > MAX_MESHES) {
    throw refuse("it has too many models; save its scenes in several files");
  }
  const entries = [{ name: MANIFEST_NAME, pieces: [manifest] }, ...meshes];
  writeFileAtomically(path, reported(zipChunks(entries), contentBytes(entries), watch), () => watch.report(1));
}

/** In the order in which models use them first. */
function meshEntries({ scenes }: FormDocument): ZipEntry[] {
  const meshes = new Map<string, Mesh>();
  for (const mesh of scenes.flatMap(({ models }) => models.flatMap(meshesOf))) {
    if (!meshes.has(mesh.hash)) meshes.set(mesh.hash, mesh);
  }
  return Array.from(meshes.values(), (mesh) => ({ name: meshEntryName(mesh.hash), pieces: meshPieces(mesh) }));
}

const contentBytes = (entries: readonly ZipEntry[]): number =>
  entries.flatMap(({ pieces }) => pieces).reduce((sum, { length }) => sum + length, 0);

/** Passes the chunks on, telling how much of `total` bytes has gone by. */
function* reported(chunks: Iterable<Uint8Array>, total: number, watch: Watch): Generator<Uint8Array> {
  let done = 0;
  for (const chunk of chunks) {
    watch.report(done / total);
    yield chunk;
    done += chunk.length;
  }
}
