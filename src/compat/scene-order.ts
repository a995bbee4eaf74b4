import type { Project } from "../scene/project.ts";

/** The order in which scenes were created, by which the 0.9 paths without an id find theirs. */
export interface SceneOrder {
  /** The id of the newest existing scene. */
  newest(project: Project): string;
  /** Makes the scene the newest one. */
  renew(id: string, project: Project): void;
}

export function newSceneOrder(): SceneOrder {
  let order: readonly string[] = [];

  /** Removes deleted scenes, and adds new ones, which are last in the project. */
  function update({ scenes }: Project): void {
    const ids = scenes.map(({ id }) => id);
    const [present, known] = [new Set(ids), new Set(order)];
    order = [...order.filter((id) => present.has(id)), ...ids.filter((id) => !known.has(id))];
  }

  return {
    newest(project) {
      update(project);
      // A project has at least its default scene.
      return order.at(-1)!;
    },
    renew(id, project) {
      update(project);
      order = [...order.filter((one) => one !== id), id];
    },
  };
}
