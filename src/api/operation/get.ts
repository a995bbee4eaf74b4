import * as v from "valibot";
import { servesServer } from "../endpoint.ts";
import { OPERATION_STATUSES } from "./records.ts";

export const getOperation = servesServer(
  {
    method: "GET",
    path: "/v1/operation/get/",
    summary: "Status, progress and result of an asynchronous request; `oneshot` removes the record of a finished one.",
    query: v.object({
      operation_id: v.string(),
      mode: v.optional(v.picklist(["oneshot", "persistent"]), "persistent"),
    }),
    reply: v.object({
      id: v.string(),
      status: v.picklist(OPERATION_STATUSES),
      progress: v.number(),
      result: v.optional(v.looseObject({})),
    }),
  },
  ({ operations }, { query }) => operations.get(query.operation_id, query.mode === "oneshot"),
);
