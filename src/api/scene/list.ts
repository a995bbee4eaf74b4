import * as v from "valibot";
import { sceneOnWire } from "../../scene/scene-on-wire.ts";
import { readsProject } from "../endpoint.ts";
import { sceneReply } from "../schema.ts";

export const listScenes = readsProject(
  {
    method: "GET",
    path: "/v1/scene/list/",
    summary: "All scenes in project order; the default scene is first.",
    reply: v.object({ scenes: v.array(sceneReply) }),
  },
  ({ scenes }) => ({ scenes: scenes.map(sceneOnWire) }),
);
