import type { Project } from "./project.ts";

/** The one place that holds state and the one place that writes it. */
export interface Store {
  read(): Project;
  /** Swaps in what `edit` makes of the project as it is now. When `edit` throws, nothing changes. */
  commit(edit: (project: Project) => Project): void;
}

export function newStore(initial: Project): Store {
  let project = initial;
  return {
    read: () => project,
    commit(edit) {
      project = edit(project);
    },
  };
}
