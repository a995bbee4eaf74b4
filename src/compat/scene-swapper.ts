import { rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { computeOn } from "../api/endpoint.ts";
import { commonVolumesOf, rememberCommonVolumes } from "../feature/slice/common-volumes.ts";
import { newId } from "../core/id.ts";
import { getOrInsert } from "../core/memoize.ts";
import { newTaskState } from "../core/progress.ts";
import { makePrivateFolder, removeFolder, removeStaleFolders } from "../core/private-folder.ts";
import { IDENTITY_POSE } from "../geometry/pose.ts";
import { readFormTask, saveFormTask } from "../feature/projects/task.ts";
import type { Runner } from "../http/run-request.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { replaceScene } from "../scene/edit.ts";
import { internMesh, mapMeshes, meshesOf } from "../scene/model-mesh.ts";
import type { Scene } from "../scene/project.ts";
import { must } from "../core/must.ts";

const FOLDER_USE = "scenes";

/** Systems remove temporary files that were not touched for some days. */
const TOUCH_MS = 24 * 60 * 60 * 1000;

/** If more scenes than this exceed the limit, requests wait until some are swapped out. */
const MAX_EXCESS = 4;

/** Keeps the most recently used scenes in memory, and swaps the meshes of the others out to files. */
export class SceneSwapper {
  readonly #runner: Runner;
  readonly #limit: number;
  readonly #touching: NodeJS.Timeout;
  #isClosed = false;
  #folder: Promise<string> | undefined;
  /** Ids of scenes, from the least to the most recently used. */
  readonly #used = new Set<string>();
  readonly #swappingIn = new Map<string, Promise<void>>();
  #swappingOut: Promise<void> | undefined;
  /** Scenes whose meshes could not be written: that is not tried again until the scene changes. */
  readonly #refused = new WeakSet<Scene>();

  /** `limit` is the number of scenes with models that stay in memory. Scenes of unfinished requests stay there in addition. */
  constructor(runner: Runner, limit: number) {
    this.#runner = runner;
    this.#limit = limit;
    void removeStaleFolders(FOLDER_USE);
    this.#touching = setInterval(() => this.#touchFiles(), TOUCH_MS);
    this.#touching.unref();
  }

  /** Swaps in those of the scenes that are swapped out, and counts as a use of all of them. */
  async swapIn(sceneIds: readonly string[]): Promise<void> {
    for (const id of sceneIds) this.#noteUse(id);
    const swap = (id: string): Promise<void> =>
      getOrInsert(this.#swappingIn, id, () => this.#swapInOne(id).finally(() => this.#swappingIn.delete(id)));
    await Promise.all(sceneIds.map(swap));
    if (this.#inMemory().length <= this.#limit) return;
    this.#swappingOut ??= this.#swapOutExcess().finally(() => (this.#swappingOut = undefined));
    if (this.#inMemory().length > this.#limit + MAX_EXCESS) await this.#swappingOut;
  }

  /** Removes the files of swapped-out scenes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#touching);
    if (this.#folder) await this.#folder.then(removeFolder, () => {});
  }

  #scenes(): readonly Scene[] {
    return this.#runner.server.store.read().scenes;
  }

  #find(id: string): Scene | undefined {
    return this.#scenes().find((scene) => scene.id === id);
  }

  #inMemory(): Scene[] {
    return this.#scenes().filter((scene) => !scene.swappedOut && scene.models.length > 0);
  }

  #isInUse(id: string): boolean {
    return [...this.#runner.unanswered].some(({ sceneIds }) => sceneIds.includes(id));
  }

  #noteUse(id: string): void {
    this.#used.delete(id);
    this.#used.add(id);
  }

  #touchFiles(): void {
    const now = new Date();
    for (const { swappedOut } of this.#scenes()) if (swappedOut) utimes(swappedOut.file, now, now).catch(() => {});
  }

  /** The least recently used scene that may be swapped out. */
  #leastUsed(): Scene | undefined {
    if (this.#isClosed) return undefined;
    const candidates = new Map(this.#inMemory().map((scene) => [scene.id, scene]));
    for (const id of candidates.keys()) if (!this.#used.has(id)) this.#noteUse(id);
    for (const id of this.#used) {
      const scene = candidates.get(id);
      if (scene && !this.#isInUse(id) && !this.#refused.has(scene)) return scene;
    }
    return undefined;
  }

  async #swapOutExcess(): Promise<void> {
    while (this.#inMemory().length > this.#limit) {
      const scene = this.#leastUsed();
      if (!scene) return;
      await this.#swapOut(scene).catch((reason: Error) => {
        this.#refused.add(scene);
        console.error(`printwright: a scene stays in memory that was not used for long: ${reason.message}`);
      });
    }
  }

  async #swapOut(scene: Scene): Promise<void> {
    const { store, pool } = this.#runner.server;
    const context = computeOn(pool, newTaskState());
    const commonVolumes = await commonVolumesOf(scene, context);
    const file = join(await this.#openFolder(), `${newId()}.form`);
    await context.compute(saveFormTask, { file, document: documentOf(scene) });
    const isUnchanged = this.#find(scene.id) === scene && !this.#isInUse(scene.id);
    if (isUnchanged) store.commit((project) => replaceScene(project, withoutMeshes(scene, { file, commonVolumes })));
    else await rm(file, { force: true });
  }

  /** The folder of the files. If making it fails, the next call tries again. */
  #openFolder(): Promise<string> {
    this.#folder ??= makePrivateFolder(FOLDER_USE).catch((reason: unknown) => {
      this.#folder = undefined;
      throw reason;
    });
    return this.#folder;
  }

  async #swapInOne(id: string): Promise<void> {
    const { store, pool } = this.#runner.server;
    const scene = this.#find(id);
    if (!scene?.swappedOut) return;
    const { file, commonVolumes } = scene.swappedOut;
    const document = await pool.compute(readFormTask, file, newTaskState());
    const meshes = new Map(must(document.scenes[0], "the scene").models.map(({ mesh }) => [mesh.hash, mesh]));
    const restored = withMeshesOf(scene, meshes);
    rememberCommonVolumes(restored.models, commonVolumes);
    store.commit((project) => replaceScene(project, restored));
    await rm(file, { force: true });
  }
}

/** A project file with every mesh of a scene once. Only the meshes are read back, so the rest of the file is empty. */
const documentOf = ({ models, setting }: Scene) => ({
  projectName: "",
  scenes: [
    {
      name: "",
      combination: setting.combination,
      models: [...new Map(models.flatMap(meshesOf).map((mesh) => [mesh.hash, mesh])).values()].map((mesh) => ({
        ...EMPTY_MODEL,
        mesh,
      })),
    },
  ],
});

const EMPTY_MODEL = {
  name: "",
  originalFile: "",
  units: "MILLIMETERS",
  visible: true,
  lock: "FREE",
  pose: IDENTITY_POSE,
} as const;

/** Replaces the meshes of a scene. */
const withMeshes = (scene: Scene, next: (mesh: Mesh) => Mesh): Scene => ({
  ...scene,
  models: scene.models.map((model) => mapMeshes(model, next)),
});

const NO_VERTICES = new Float32Array();
const NO_TRIANGLES = new Uint32Array();

const withoutMeshes = (scene: Scene, swappedOut: NonNullable<Scene["swappedOut"]>): Scene => ({
  ...withMeshes(scene, (mesh) => ({ ...mesh, vertices: NO_VERTICES, triangles: NO_TRIANGLES })),
  swappedOut,
});

const withMeshesOf = (scene: Scene, meshes: ReadonlyMap<string, Mesh>): Scene => ({
  ...withMeshes(scene, (mesh) => {
    // The file has every mesh of the scene.
    const { vertices, triangles } = meshes.get(mesh.hash)!;
    return internMesh({ ...mesh, vertices, triangles });
  }),
  swappedOut: undefined,
});
