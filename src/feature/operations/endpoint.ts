import * as v from "valibot";
import { servesServer } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { ids, integer, uuid } from "../../api/schema.ts";
import { OPERATION_STATUSES } from "../../api/operation-records.ts";

/** The record of an operation without its result. */
const recordFields = {
  id: field(uuid, "Id of the operation."),
  status: field(v.picklist(OPERATION_STATUSES), "State of the operation."),
  progress: field(
    v.number(),
    "Fraction of the work that is done, 0 to 1. It never falls, and is 1 once the operation has succeeded.",
  ),
  path: field(v.string(), "An addition to the interface: path of the endpoint that was called."),
  scene_ids: field(ids, "An addition to the interface: the scenes that the request names."),
  title: field(v.string(), "An addition to the interface: what the request does, in words for people."),
  stage: field(
    v.nullable(
      object({
        title: field(v.string(), "What the stage does, in words for people."),
        index: field(integer, "Number of the stage, from 1."),
        count: field(integer, "Number of stages of the request."),
      }),
    ),
    "An addition to the interface: the present stage of a request that has several, or the last one that began; else null.",
  ),
  started: field(
    v.pipe(v.string(), v.metadata({ format: "date-time" })),
    "An addition to the interface: when the request arrived, in UTC (ISO 8601).",
  ),
};

export const getOperation = servesServer(
  {
    method: "GET",
    path: "/v1/operation/get/",
    summary:
      "Returns the status, progress and result of an asynchronous request. `oneshot` removes the record once the operation has ended.",
    query: object({
      operation_id: field(v.pipe(uuid, v.nonEmpty()), "Id of the operation, as in the answer to ?async=true."),
      mode: field(
        v.optional(v.picklist(["oneshot", "persistent"]), "persistent"),
        '"oneshot" deletes the record of an ended operation after this answer; "persistent" keeps it.',
      ),
    }),
    reply: object({
      ...recordFields,
      result: field(
        v.optional(v.looseObject({})),
        "Body of the answer, or the error; absent while the operation runs, and if the answer has no body.",
      ),
    }),
  },
  ({ operations }, { query }) => operations.get(query.operation_id, query.mode === "oneshot"),
);

export const listOperations = servesServer(
  {
    method: "POST",
    path: "/v1/operation/list/",
    summary: "Lists the status and progress of the named operations, or of all operations.",
    body: strictObject({
      operations: field(v.optional(ids, []), "Ids of the operations to list; all if absent or empty."),
    }),
    bodyOptional: true,
    reply: object({
      count: field(integer, "Number of operations."),
      operations: field(v.array(object(recordFields)), "Records of the operations."),
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
    body: strictObject({ operations: field(v.pipe(ids, v.nonEmpty()), "Ids of the operations.") }),
  },
  ({ operations }, { body }) => operations.remove(body.operations),
);

/** An addition of ours (interface supplement, section 8). */
export const cancelOperations = servesServer(
  {
    method: "POST",
    path: "/v1/operation/cancel/",
    summary:
      "An addition to the interface. Ends the named operations: running operations become FAILED with OPERATION_CANCELLED " +
      "and change nothing, ended operations stay unchanged. Nothing is cancelled if one of them is unknown.",
    body: strictObject({ operations: field(v.pipe(ids, v.nonEmpty()), "Ids of the operations.") }),
  },
  ({ operations }, { body }) => operations.cancel(body.operations),
);
