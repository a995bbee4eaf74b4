import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { fileError, withFileErrors } from "../../core/file-error.ts";
import { parseJson } from "../../core/json.ts";
import { claimMemory } from "../../core/memory-budget.ts";
import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { type FormScene, meshesOf } from "./document.ts";
import { MANIFEST_DEPTH, MAX_MANIFEST_BYTES, checkManifest, hashesIn } from "./manifest.ts";
import { toDocument, toManifest } from "./manifest-document.ts";
import { CHECK_BYTES_PER_BYTE, meshEntryName, meshPieces, parseMesh } from "./mesh-entry.ts";

// A state folder has a file `scenes/ID.json` for each scene, which refers to the meshes in `meshes/`. A mesh is named after its hash and
// written once, before the first scene that refers to it.

/** A scene in a state folder. Its document has no ids; those that clients know are kept beside it. */
export interface KeptScene {
  readonly id: string;
  readonly modelIds: readonly string[];
  readonly cageIds: readonly string[];
  /** Whether a person or a file has named the scene; otherwise its document has a name by its place. */
  readonly isNamed: boolean;
  /** When it was kept, in ISO 8601. */
  readonly keptAt: string;
  readonly projectName: string;
  readonly scene: FormScene;
}

const FORMAT_NAME = "printwright-kept-scene";
const SCENES = "scenes";
const MESHES = "meshes";
const SCENE_FILE = /^([0-9a-f-]{36})\.json$/;
const EXTENSION = ".json";

const ids = v.array(v.pipe(v.string(), v.uuid()));
const KeptSchema = v.object({
  format: v.literal(FORMAT_NAME),
  kept_at: v.pipe(v.string(), v.isoTimestamp()),
  scene_id: v.pipe(v.string(), v.uuid()),
  model_ids: ids,
  cage_ids: ids,
  is_named: v.boolean(),
  manifest: v.unknown(),
});

export const keptSceneFile = (folder: string, id: string): string => join(folder, SCENES, id + EXTENSION);

export const keptMeshFile = (folder: string, hash: string): string => join(folder, meshEntryName(hash));

/** Makes the folders of a state folder, which only this user may enter. */
export function makeStateFolder(folder: string): void {
  for (const name of [SCENES, MESHES]) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
}

/** Ids of the scenes in a state folder. */
export const keptSceneIds = (folder: string): string[] =>
  readdirSync(join(folder, SCENES)).flatMap((name) => SCENE_FILE.exec(name)?.[1] ?? []);

/** Names of the files of meshes in a state folder, relative to it. */
export const keptMeshNames = (folder: string): string[] =>
  readdirSync(join(folder, MESHES)).map((name) => `${MESHES}/${name}`);

/** Writes a scene: first the meshes that the folder lacks, then the file that names them. Throws OPERATION_FAILED. */
export function writeKeptScene(folder: string, kept: KeptScene, progress: Progress): void {
  const { id, modelIds, cageIds, isNamed, keptAt, projectName, scene } = kept;
  makeStateFolder(folder);
  const meshes = new Map(scene.models.flatMap(meshesOf).map((mesh) => [mesh.hash, mesh]));
  for (const [i, mesh] of [...meshes.values()].entries()) {
    progress.report(i / meshes.size);
    writeMesh(folder, mesh);
  }
  const content = {
    format: FORMAT_NAME,
    kept_at: keptAt,
    scene_id: id,
    model_ids: modelIds,
    cage_ids: cageIds,
    is_named: isNamed,
    manifest: toManifest({ projectName, scenes: [scene] }),
  };
  writeFileAtomically(keptSceneFile(folder, id), [new TextEncoder().encode(JSON.stringify(content))]);
}

/** A file with the name of a mesh is whole: it got its name when it was. */
function writeMesh(folder: string, mesh: Mesh): void {
  const path = keptMeshFile(folder, mesh.hash);
  if (!statSync(path, { throwIfNoEntry: false })) writeFileAtomically(path, meshPieces(mesh));
}

/** A kept scene whose meshes are not read. */
export interface KeptEntry extends Omit<KeptScene, "scene" | "projectName"> {
  readonly name: string;
  readonly modelNames: readonly string[];
  /** Hashes of its meshes. */
  readonly hashes: readonly string[];
}

/** Reads what a state folder says of a scene. Throws OPERATION_FAILED with the cause. */
export function readKeptEntry(folder: string, id: string): KeptEntry {
  const { manifest, saved, ...entry } = readFileOf(folder, id);
  const modelNames = saved.models.map(({ name }) => name);
  return { ...entry, name: saved.name, modelNames, hashes: hashesIn(manifest) };
}

/** Reads a scene with its meshes, which are checked as those of a project file. Throws OPERATION_FAILED with the cause. */
export function readKeptScene(folder: string, id: string, progress: Progress): KeptScene {
  const { manifest, saved: _, ...entry } = readFileOf(folder, id);
  const hashes = hashesIn(manifest);
  claimForMeshes(
    hashes.map((hash) => {
      const path = keptMeshFile(folder, hash);
      return withFileErrors("read", path, () => statSync(path)).size;
    }),
  );
  const meshes = new Map<string, Mesh>();
  for (const [i, hash] of hashes.entries()) {
    meshes.set(hash, readMesh(folder, hash, progress.part(i / hashes.length, (i + 1) / hashes.length)));
  }
  // Every hash of the manifest is in the map.
  const { projectName, scenes } = toDocument(manifest, (hash) => meshes.get(hash)!);
  return { ...entry, projectName, scene: must(scenes[0], "The scene of the manifest") };
}

function claimForMeshes(sizes: readonly number[]): void {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const bytes = total + CHECK_BYTES_PER_BYTE * Math.max(0, ...sizes);
  claimMemory({ bytes, what: "The kept scene", wayOut: "delete other scenes first" });
}

function readMesh(folder: string, hash: string, progress: Progress): Mesh {
  const path = keptMeshFile(folder, hash);
  const bytes = readWholeFile(path, Number.MAX_SAFE_INTEGER);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return parseMesh(shared, hash, (why) => fileError("read", path, `it is damaged: ${why}`), progress);
}

/** A checked file, and its one scene. */
function readFileOf(folder: string, id: string) {
  const refuse = (why: string) => fileError("read", keptSceneFile(folder, id), why);
  const bytes = readWholeFile(keptSceneFile(folder, id), MAX_MANIFEST_BYTES);
  const read = (): unknown => {
    try {
      // The manifest is one level deeper than in a project file.
      return parseJson(bytes, MANIFEST_DEPTH + 1);
    } catch (thrown) {
      throw refuse(`it is damaged: ${(thrown as Error).message}`);
    }
  };
  const checked = v.safeParse(KeptSchema, read(), { abortEarly: true });
  if (!checked.success) throw refuse(`it is damaged: ${checked.issues[0].message}`);
  const { kept_at, scene_id, model_ids, cage_ids, is_named } = checked.output;
  if (scene_id !== id) throw refuse("it is damaged: it holds another scene than its name says");
  const manifest = checkManifest(checked.output.manifest, refuse);
  const [scene] = manifest.scenes;
  if (manifest.scenes.length !== 1 || !scene) throw refuse("it is damaged: it does not hold one scene");
  if (scene.models.length !== model_ids.length || (scene.cages ?? []).length !== cage_ids.length)
    throw refuse("it is damaged: it has not an id for each model");
  return { id, keptAt: kept_at, modelIds: model_ids, cageIds: cage_ids, isNamed: is_named, manifest, saved: scene };
}
