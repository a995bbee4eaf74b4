import * as v from "valibot";
import { servesServer } from "../endpoint.ts";
import { ids } from "../schema.ts";

export const deleteOperations = servesServer(
  {
    method: "DELETE",
    path: "/v1/operation/delete/",
    summary: "Removes the records of finished operations: all that are named, or none.",
    body: v.strictObject({ operations: v.pipe(ids, v.nonEmpty()) }),
  },
  ({ operations }, { body }) => operations.remove(body.operations),
);
