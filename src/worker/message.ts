import type { FaultCode } from "../core/fault.ts";
import type { JobState } from "../core/watch.ts";
import type { TaskName } from "./table.ts";

/** What the pool asks of a worker. */
export interface JobMessage {
  readonly job: number;
  readonly task: TaskName;
  readonly input: unknown;
  readonly state: JobState;
}

/** What a worker answers. After `spoiled` its memory cannot be trusted: the pool ends it and starts another. */
export type DoneMessage =
  | { readonly job: number; readonly kind: "done"; readonly output: unknown }
  | { readonly job: number; readonly kind: "cancelled" }
  | {
      readonly job: number;
      readonly kind: "failed";
      readonly code: FaultCode;
      readonly message: string;
      readonly spoiled: boolean;
    };
