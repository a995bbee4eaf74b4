import * as v from "valibot";
import { readsScene } from "../endpoint.ts";
import { sceneId } from "../schema.ts";
import { estimatedTime } from "./estimated-time.ts";

export const estimatePrintTime = readsScene(
  {
    method: "POST",
    path: "/v1/scene/estimate-print-time/",
    summary:
      "About how long the scene prints, from volume, layer count and profile, without slicing. 0 for an empty scene.",
    async: true,
    body: v.strictObject({ scene_id: sceneId }),
    reply: v.object({ total_print_time_s: v.number() }),
  },
  (scene) => ({ total_print_time_s: estimatedTime(scene).totalS }),
);
