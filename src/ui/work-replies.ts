// Types of answers about the work on scenes (see `replies.ts`): the steps to a print, and the requests that run.

/** A step on the way to a print: PACK and CAGE of powder scenes, ORIENT, SUPPORT and LAYOUT of resin scenes, and the others of both. */
export type StepName = "PARTS" | "ORIENT" | "SUPPORT" | "LAYOUT" | "PACK" | "CAGE" | "CHECK" | "PRINT";

/** The state of a step. */
export interface PageStep {
  readonly step: StepName;
  /** WAITING: a running preparation gives it another state, which it gets when the preparation ends. */
  readonly state: "TODO" | "DONE" | "WARNING" | "ERROR" | "RUNNING" | "WAITING";
  /** In words: "2 overlap". */
  readonly text: string;
  /** The number in the text, else 0. */
  readonly count: number;
}

/** The steps of a scene, apart from the rest of its description. */
export interface PageSteps {
  readonly version: number;
  readonly steps: readonly PageStep[];
}

/** A request that runs: an operation of `/v1/`, or another request that takes longer than a quarter of a second. */
export interface PageOperation {
  readonly id: string;
  /** Path of the endpoint that was called. */
  readonly path: string;
  /** The scenes that the request names; empty for one that belongs to no scene. */
  readonly scene_ids: readonly string[];
  /** In words: "Generate supports". */
  readonly title: string;
  /** The present stage of a request that has several, such as "Supporting", 2 of 4; else null. */
  readonly stage: { readonly title: string; readonly index: number; readonly count: number } | null;
  /** Finished fraction of the work, 0 to 1. */
  readonly progress: number;
  /** When the request arrived: ISO 8601, UTC. */
  readonly since: string;
  /** Whether `/v1/operation/cancel/` ends it. */
  readonly can_cancel: boolean;
}

/** All requests that run, oldest first, at most 100. */
export interface PageWork {
  readonly operations: readonly PageOperation[];
}

/** The prints that this server has started and that run, queues included; after its end a printer is ready for another one. */
export interface PagePrints {
  readonly prints: readonly {
    readonly job_id: string;
    readonly job_name: string;
    /** Id of the printer. */
    readonly printer: string;
    /** What the printer says that it does; null while it does not answer. */
    readonly status: string | null;
    /** Null where the printer does not tell it. */
    readonly remaining_ms: number | null;
  }[];
}
