import { rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { commonVolumesOf, rememberCommonVolumes } from "../feature/slice/common-volumes.ts";
import { newId } from "../core/id.ts";
import { getOrInsert } from "../core/memoize.ts";
import { newTaskState } from "../core/progress.ts";
import { makePrivateFolder, removeFolder, removeStaleFolders } from "../core/private-folder.ts";
import { IDENTITY_POSE } from "../geometry/pose.ts";
import type { Runner } from "../http/run-request.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { replaceScene } from "../scene/edit.ts";
import { internMesh } from "../scene/model-mesh.ts";
import type { Model, Scene } from "../scene/project.ts";
import { readForm, saveForm } from "../feature/projects/task.ts";

/** Puts the scenes to rest that were not used for longest, so that most of the others are in memory at once. */
export interface RestingScenes {
  /** Brings scenes back that are at rest, and counts as a use of them. */
  wake(sceneIds: readonly string[]): Promise<void>;
  /** Removes the files of the scenes at rest. */
  close(): Promise<void>;
}

const FOLDER_USE = "scenes";

/** Systems remove temporary files that nobody has touched for some days. */
const TOUCH_MS = 24 * 60 * 60 * 1000;

/** Beyond this many scenes too many, requests wait until some are put to rest. */
const MAX_BEHIND = 4;

/** `most` is the number of scenes with models that stay in memory. Those of requests that run or wait stay beside them. */
export function newRestingScenes({ server, unanswered }: Runner, most: number): RestingScenes {
  const { store, pool } = server;
  let isClosed = false;
  let folder: Promise<string> | undefined;
  /** From the least to the most recently used. */
  const used = new Set<string>();
  const waking = new Map<string, Promise<void>>();
  /** States of scenes whose meshes could not be written: they are not tried again. */
  const refused = new WeakSet<Scene>();
  let resting: Promise<void> | undefined;
  void removeStaleFolders(FOLDER_USE);

  const touching = setInterval(() => {
    const now = new Date();
    for (const { atRest } of store.read().scenes) if (atRest) utimes(atRest.file, now, now).catch(() => {});
  }, TOUCH_MS);
  touching.unref();

  const find = (id: string): Scene | undefined => store.read().scenes.find((scene) => scene.id === id);
  const awake = (): Scene[] => store.read().scenes.filter((scene) => !scene.atRest && scene.models.length > 0);
  const isInUse = (id: string): boolean => [...unanswered].some(({ sceneIds }) => sceneIds.includes(id));

  function use(id: string): void {
    used.delete(id);
    used.add(id);
  }

  /** The scene that was used least recently of those that may be put to rest. */
  function leastUsed(): Scene | undefined {
    if (isClosed) return undefined;
    const candidates = new Map(awake().map((scene) => [scene.id, scene]));
    for (const id of candidates.keys()) if (!used.has(id)) use(id);
    for (const id of used) {
      const scene = candidates.get(id);
      if (scene && !isInUse(id) && !refused.has(scene)) return scene;
    }
    return undefined;
  }

  async function restAll(): Promise<void> {
    while (awake().length > most) {
      const scene = leastUsed();
      if (!scene) return;
      await rest(scene).catch((reason: Error) => {
        refused.add(scene);
        console.error(`printwright: a scene stays in memory that was not used for long: ${reason.message}`);
      });
    }
  }

  async function rest(scene: Scene): Promise<void> {
    const state = newTaskState();
    const compute: Parameters<typeof commonVolumesOf>[1]["compute"] = (task, input) => pool.compute(task, input, state);
    const commonVolumes = await commonVolumesOf(scene, { compute });
    folder ??= makePrivateFolder(FOLDER_USE).catch((reason: unknown) => {
      folder = undefined;
      throw reason;
    });
    const file = join(await folder, `${newId()}.form`);
    await compute(saveForm, { file, document: documentOf(scene) });
    const mayRest = find(scene.id) === scene && !isInUse(scene.id);
    if (mayRest) store.commit((project) => replaceScene(project, asleep(scene, { file, commonVolumes })));
    else await rm(file, { force: true });
  }

  async function wakeOne(id: string): Promise<void> {
    const scene = find(id);
    if (!scene?.atRest) return;
    const { file, commonVolumes } = scene.atRest;
    const document = await pool.compute(readForm, file, newTaskState());
    const meshes = new Map(document.scenes[0].models.map(({ mesh }) => [mesh.hash, mesh]));
    const awake = awakened(scene, meshes);
    rememberCommonVolumes(awake.models, commonVolumes);
    store.commit((project) => replaceScene(project, awake));
    await rm(file, { force: true });
  }

  return {
    async wake(sceneIds) {
      for (const id of sceneIds) use(id);
      await Promise.all(
        sceneIds.map((id) => getOrInsert(waking, id, () => wakeOne(id).finally(() => waking.delete(id)))),
      );
      if (awake().length <= most) return;
      resting ??= restAll().finally(() => (resting = undefined));
      if (awake().length > most + MAX_BEHIND) await resting;
    },
    async close() {
      isClosed = true;
      clearInterval(touching);
      if (folder) await folder.then(removeFolder, () => {});
    },
  };
}

/** Every mesh of a scene once. Only the meshes are read back, so the rest of the file is empty. */
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

const meshesOf = ({ mesh, supports, hollowed }: Model): Mesh[] => [
  mesh,
  ...(supports ? [supports.mesh] : []),
  ...(hollowed ? [hollowed.solid] : []),
];

/** The scene with others in place of its meshes. */
const withMeshes = (scene: Scene, next: (mesh: Mesh) => Mesh): Scene => ({
  ...scene,
  models: scene.models.map((model) => ({
    ...model,
    mesh: next(model.mesh),
    supports: model.supports && { ...model.supports, mesh: next(model.supports.mesh) },
    hollowed: model.hollowed && { ...model.hollowed, solid: next(model.hollowed.solid) },
  })),
});

const NO_VERTICES = new Float32Array();
const NO_TRIANGLES = new Uint32Array();

const asleep = (scene: Scene, atRest: NonNullable<Scene["atRest"]>): Scene => ({
  ...withMeshes(scene, (mesh) => ({ ...mesh, vertices: NO_VERTICES, triangles: NO_TRIANGLES })),
  atRest,
});

const awakened = (scene: Scene, meshes: ReadonlyMap<string, Mesh>): Scene => ({
  ...withMeshes(scene, (mesh) => {
    // The file has every mesh of the scene.
    const { vertices, triangles } = meshes.get(mesh.hash)!;
    return internMesh({ ...mesh, vertices, triangles });
  }),
  atRest: undefined,
});
