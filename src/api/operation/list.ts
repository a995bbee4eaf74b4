import * as v from "valibot";
import { servesServer } from "../endpoint.ts";
import { ids } from "../schema.ts";
import { OPERATION_STATUSES } from "./records.ts";

export const listOperations = servesServer(
  {
    method: "POST",
    path: "/v1/operation/list/",
    summary: "Status and progress of the operations named, or of all.",
    body: v.strictObject({ operations: v.optional(ids, []) }),
    bodyOptional: true,
    reply: v.object({
      count: v.pipe(v.number(), v.integer()),
      operations: v.array(v.object({ id: v.string(), status: v.picklist(OPERATION_STATUSES), progress: v.number() })),
    }),
  },
  ({ operations }, { body }) => {
    const listed = operations.list(body.operations);
    return { count: listed.length, operations: listed };
  },
);
