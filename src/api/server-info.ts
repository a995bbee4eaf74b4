import * as v from "valibot";
import { servesServer } from "./endpoint.ts";

export const serverInfo = servesServer(
  { method: "GET", path: "/v1/", summary: "The running server's version.", reply: v.object({ version: v.string() }) },
  ({ version }) => ({ version }),
);
