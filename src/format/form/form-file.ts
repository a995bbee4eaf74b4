import { basename } from "node:path";
import { type ErrorFactory, excerpt } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { parseJson } from "../../core/json.ts";
import { claimMemory } from "../../core/memory-budget.ts";
import { MAX_MODELS } from "../../core/limits.ts";
import type { Progress, TaskProgress } from "../../core/progress.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { MAX_ZIP_ENTRIES, type ZipReader, openZip } from "../../codec/zip-reader.ts";
import { type ZipEntry, zipChunks } from "../../codec/zip-writer.ts";
import { type FormDocument, meshesOf } from "./document.ts";
import {
  type Manifest,
  MANIFEST_DEPTH,
  MANIFEST_NAME,
  MAX_MANIFEST_BYTES,
  NOT_OURS,
  checkManifest,
  hashesIn,
} from "./manifest.ts";
import { toDocument, toManifest } from "./manifest-document.ts";
import { CHECK_BYTES_PER_BYTE, meshEntryName, meshPieces, parseMesh } from "./mesh-entry.ts";

/**
 * Reads a `.form` file. Nothing in it is trusted: meshes are checked against their hashes and measured again. Throws
 * OPERATION_FAILED with the entry and the cause for a file that is missing, damaged, of another program or of a newer
 * version of this one.
 */
export async function readForm(path: string, progress: Progress): Promise<FormDocument> {
  progress.report(0);
  const refuse = (why: string) => fileError("read", path, why);
  const zip = await openZip(path);
  try {
    const manifest = checkManifest(await readManifest(zip, refuse), refuse);
    requireModelCounts(manifest, refuse);
    const hashes = hashesIn(manifest);
    const sizes = checkSizes(zip, hashes.map(meshEntryName), refuse);
    claimMemory({
      bytes: sizes.total + CHECK_BYTES_PER_BYTE * sizes.largest,
      what: `The project ${JSON.stringify(basename(path))}`,
      wayOut: "open its scenes from several files",
    });
    const meshes = new Map<string, Mesh>();
    for (const [i, hash] of hashes.entries()) {
      meshes.set(hash, await readMesh(zip, hash, refuse, progress.part(i / hashes.length, (i + 1) / hashes.length)));
    }
    // Every hash of the manifest is in the map.
    return toDocument(manifest, (hash) => meshes.get(hash)!);
  } finally {
    zip.close();
  }
}

async function readManifest(zip: ZipReader, refuse: ErrorFactory): Promise<unknown> {
  if (!zip.entries.has(MANIFEST_NAME)) throw refuse(NOT_OURS);
  checkSizes(zip, [MANIFEST_NAME], refuse);
  const bytes = await zip.read(MANIFEST_NAME, MAX_MANIFEST_BYTES);
  try {
    return parseJson(bytes, MANIFEST_DEPTH);
  } catch (thrown) {
    throw refuse(`${MANIFEST_NAME} is damaged: ${(thrown as Error).message}; take another copy of the file`);
  }
}

/**
 * Throws if an entry is missing, or if the entries together claim more bytes than the file has. All are stored
 * without compression, so after this check no more memory is allocated than the file is large. Returns the bytes of all of them and
 * of the largest.
 */
function checkSizes(
  zip: ZipReader,
  names: readonly string[],
  refuse: ErrorFactory,
): { total: number; largest: number } {
  let claimed = 0;
  let largest = 0;
  for (const name of names) {
    const entry = zip.entries.get(name);
    if (!entry) throw refuse(`${name} is missing, which a model uses; take another copy of the file`);
    claimed += entry.size;
    largest = Math.max(largest, entry.size);
    if (claimed > zip.size) {
      throw refuse(`${name} claims more bytes than the file has, which is damaged or was repacked; take another copy`);
    }
  }
  return { total: claimed, largest };
}

function requireModelCounts({ scenes }: Manifest, refuse: ErrorFactory): void {
  const full = scenes.find(({ models }) => models.length > MAX_MODELS);
  if (!full) return;
  throw refuse(
    `its scene ${JSON.stringify(excerpt(full.name))} has ${full.models.length} models, and a scene holds at most ${MAX_MODELS} models`,
  );
}

async function readMesh(zip: ZipReader, hash: string, refuse: ErrorFactory, progress: Progress): Promise<Mesh> {
  const name = meshEntryName(hash);
  // `checkSizes` has found the entry.
  const bytes = new Uint8Array(new SharedArrayBuffer(zip.entries.get(name)!.size));
  await zip.readInto(name, bytes);
  progress.report(0.5);
  const refuseEntry = (why: string) => refuse(`${name} is damaged: ${why}; take another copy of the file`);
  return parseMesh(bytes, hash, refuseEntry, progress.part(0.5, 1));
}

/** The most files that the zip reader accepts in one archive, less the manifest. */
const MAX_MESHES = MAX_ZIP_ENTRIES - 1;

/**
 * Writes the document as a `.form` file, completely or not at all; equal documents give equal bytes. Throws
 * OPERATION_FAILED if the file cannot be written, or would be too large to be read again.
 */
export async function writeForm(path: string, document: FormDocument, progress: TaskProgress): Promise<void> {
  const refuse = (why: string) => fileError("write", path, why);
  const manifest = new TextEncoder().encode(JSON.stringify(checkManifest(toManifest(document), refuse)));
  const meshes = meshEntries(document);
  if (manifest.length > MAX_MANIFEST_BYTES || meshes.length > MAX_MESHES) {
    throw refuse("it has too many models; save its scenes in several files");
  }
  const entries = [{ name: MANIFEST_NAME, pieces: [manifest] }, ...meshes];
  writeFileAtomically(path, reported(zipChunks(entries), contentBytes(entries), progress), progress.commit);
}

/** One entry for each mesh, in the order of first use. */
function meshEntries({ scenes }: FormDocument): ZipEntry[] {
  const meshes = new Map<string, Mesh>();
  for (const mesh of scenes.flatMap(({ models }) => models.flatMap(meshesOf))) {
    if (!meshes.has(mesh.hash)) meshes.set(mesh.hash, mesh);
  }
  return Array.from(meshes.values(), (mesh) => ({ name: meshEntryName(mesh.hash), pieces: meshPieces(mesh) }));
}

const contentBytes = (entries: readonly ZipEntry[]): number =>
  entries.flatMap(({ pieces }) => pieces).reduce((sum, { length }) => sum + length, 0);

/** Passes the chunks on and reports their share of `total` bytes. */
function* reported(chunks: Iterable<Uint8Array>, total: number, progress: Progress): Generator<Uint8Array> {
  let done = 0;
  for (const chunk of chunks) {
    progress.report(done / total);
    yield chunk;
    done += chunk.length;
  }
}
