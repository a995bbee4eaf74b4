import type { Watch } from "../../core/watch.ts";
import * as slice from "../../slice/prepare-stack.ts";
import type { Stack, StackRequest } from "../../slice/stack.ts";

/** Share of the progress at which a stack is ready to be drawn. */
export const PREPARED = 0.05;

export const prepareStack = (request: StackRequest, watch: Watch): Stack =>
  slice.prepareStack(request, watch.part(0, PREPARED));
