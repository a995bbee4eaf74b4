import type { Refuse } from "../../core/fault.ts";
import { fileFault } from "../../core/system-error.ts";
import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { openZip, type ZipReader } from "../zip-reader.ts";
import type { FormDocument } from "./document.ts";
import {
  checkManifest,
  hashesIn,
  MANIFEST_DEPTH,
  MANIFEST_NAME,
  MAX_MANIFEST_BYTES,
  NOT_OURS,
  toDocument,
} from "./manifest.ts";
import { meshEntryName, parseMesh } from "./mesh-entry.ts";
import { parseJson } from "../../core/parse-json.ts";

/**
 * Reads a `.form` file. Nothing in it is trusted: meshes are checked against their hashes and measured anew. Faults:
 * OPERATION_FAILED with the entry and the cause for a file that is missing, damaged, of another program or of a newer
 * version of this one.
 */
export async function readForm(path: string, watch: Watch): Promise<FormDocument> {
  watch.report(0);
  const refuse = (why: string) => fileFault("read", path, why);
  const zip = await openZip(path);
  try {
    const manifest = checkManifest(await readManifest(zip, refuse), refuse);
    const hashes = hashesIn(manifest);
    checkSizes(zip, hashes.map(meshEntryName), refuse);
    const meshes = new Map<string, Mesh>();
    for (const [i, hash] of hashes.entries()) {
      meshes.set(hash, await readMesh(zip, hash, refuse, watch.part(i / hashes.length, (i + 1) / hashes.length)));
    }
    return toDocument(manifest, meshes);
  } finally {
    zip.close();
  }
}

async function readManifest(zip: ZipReader, refuse: Refuse): Promise<unknown> {
  if (!zip.entries.has(MANIFEST_NAME)) throw refuse(NOT_OURS);
  checkSizes(zip, [MANIFEST_NAME], refuse);
  const bytes = await zip.read(MANIFEST_NAME, MAX_MANIFEST_BYTES);
  try {
    return parseJson(bytes, MANIFEST_DEPTH);
  } catch (thrown) {
    throw refuse(`${MANIFEST_NAME} is damaged: ${(thrown as Error).message}; take another copy of the file`);
  }
}

/** Entries are stored, so together they are smaller than the file: memory is taken only for bytes that are there. */
function checkSizes(zip: ZipReader, names: readonly string[], refuse: Refuse): void {
  let claimed = 0;
  for (const name of names) {
    const entry = zip.entries.get(name);
    if (!entry) throw refuse(`${name} is missing, which a model uses; take another copy of the file`);
    claimed += entry.size;
    if (claimed > zip.size) {
      throw refuse(`${name} claims more bytes than the file has, which is damaged or was repacked; take another copy`);
    }
  }
}

async function readMesh(zip: ZipReader, hash: string, refuse: Refuse, watch: Watch): Promise<Mesh> {
  const name = meshEntryName(hash);
  const bytes = new Uint8Array(new SharedArrayBuffer(zip.entries.get(name)!.size));
  await zip.readInto(name, bytes);
  watch.report(0.5);
  const refuseEntry = (why: string) => refuse(`${name} is damaged: ${why}; take another copy of the file`);
  return parseMesh(bytes, hash, refuseEntry, watch.part(0.5, 1));
}
