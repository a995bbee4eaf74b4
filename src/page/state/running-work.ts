import { signal } from "@preact/signals";
import type { PageOperation } from "../../ui/work-replies.ts";
import { post } from "../server/call.ts";

/** The requests that run on the server, whoever sent them: this page, other pages and programs. */
export const runningWork = signal<readonly PageOperation[]>([]);

/** Cancels a request that is an operation. It may have ended meanwhile. */
export const cancelWork = ({ id }: PageOperation): void =>
  void post("/v1/operation/cancel/", { operations: [id] }).catch(() => undefined);
