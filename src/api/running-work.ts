import type { TaskState } from "../core/progress.ts";

/** The part of a request that runs now, for a request that has several. */
export interface Stage {
  /** In the words of the page: "Supporting". */
  readonly title: string;
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

/** What a request does, for the people who wait for it. */
export interface Work {
  /** Id of the request, and of its operation if it is asynchronous. */
  readonly id: string;
  /** Path of the endpoint. */
  readonly path: string;
  /** The scenes that the request names. */
  readonly sceneIds: readonly string[];
  /** In the words of the page: "Generate supports". */
  readonly title: string;
  readonly started: Date;
  readonly state: TaskState;
  /** The present stage, and the last one after the end. */
  stage(): Stage | undefined;
}
