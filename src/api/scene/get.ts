import * as v from "valibot";
import { sceneOnWire } from "../../scene/scene-on-wire.ts";
import { readsScene } from "../endpoint.ts";
import { sceneId, sceneReply } from "../schema.ts";

export const getScene = readsScene(
  {
    method: "POST",
    path: "/v1/scene/get/",
    summary: "The state of one scene, as the last finished change left it.",
    body: v.strictObject({ scene_id: sceneId }),
    reply: sceneReply,
  },
  sceneOnWire,
);
