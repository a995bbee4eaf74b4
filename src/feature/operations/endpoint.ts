import * as v from "valibot";
import { servesServer } from "../../api/endpoint.ts";
import { OPERATION_STATUSES } from "../../api/operation-records.ts";
import { ids, integer, uuid } from "../../api/schema.ts";

export const getOperation = servesServer(
  {
    method: "GET",
    path: "/v1/operation/get/",
    summary: "Status, progress and result of an asynchronous request; `oneshot` removes the record of a finished one.",
    query: v.object({
      operation_id: v.pipe(uuid, v.nonEmpty()),
      mode: v.optional(v.picklist(["oneshot", "persistent"]), "persistent"),
    }),
    reply: v.object({
      id: uuid,
      status: v.picklist(OPERATION_STATUSES),
      progress: v.number(),
      result: v.optional(v.looseObject({})),
    }),
  },
  ({ operations }, { query }) => operations.get(query.operation_id, query.mode === "oneshot"),
);

export const listOperations = servesServer(
  {
    method: "POST",
    path: "/v1/operation/list/",
    summary: "Status and progress of the named operations, or of all.",
    body: v.strictObject({ operations: v.optional(ids, []) }),
    bodyOptional: true,
    reply: v.object({
      count: integer,
      operations: v.array(v.object({ id: uuid, status: v.picklist(OPERATION_STATUSES), progress: v.number() })),
    }),
  },
  ({ operations }, { body }) => {
    const listed = operations.list(body.operations);
    return { count: listed.length, operations: listed };
  },
);

export const deleteOperations = servesServer(
  {
    method: "DELETE",
    path: "/v1/operation/delete/",
    errors: ["OPERATION_IN_PROGRESS"],
    summary:
      "Removes the records of the named operations. Nothing is removed if one of them is unknown or still running.",
    body: v.strictObject({ operations: v.pipe(ids, v.nonEmpty()) }),
  },
  ({ operations }, { body }) => operations.remove(body.operations),
);

/** An addition of ours (interface supplement, section 8). */
export const cancelOperations = servesServer(
  {
    method: "POST",
    path: "/v1/operation/cancel/",
    summary:
      "An addition to the interface. Ends the named operations: those that still run become FAILED with OPERATION_CANCELLED " +
      "and change nothing, ended ones are left as they are. Nothing is cancelled if one of them is unknown.",
    body: v.strictObject({ operations: v.pipe(ids, v.nonEmpty()) }),
  },
  ({ operations }, { body }) => operations.cancel(body.operations),
);
