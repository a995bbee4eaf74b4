import * as v from "valibot";
import { profileOf } from "../../catalog/profile.ts";
import { printTime } from "../../slice/time/print-time.ts";
import { readsScene } from "../endpoint.ts";
import { sceneId } from "../schema.ts";
import { drawnLayers, emptyMeasures, takeMeasures } from "./drawn-layers.ts";
import { printTimeOnWire, printTimeReply } from "./print-time-on-wire.ts";

export const calculatePrintTime = readsScene(
  {
    method: "POST",
    path: "/v1/scene/calculate-print-time/",
    summary: "How long the scene prints, from its sliced layers; powder scenes also tell how long they cool.",
    async: true,
    body: v.strictObject({ scene_id: sceneId }),
    reply: printTimeReply,
  },
  async (scene, _, kit) => {
    const measures = emptyMeasures(scene);
    for await (const drawn of drawnLayers(scene, kit)) takeMeasures(measures, drawn);
    return printTimeOnWire(printTime(profileOf(scene.setting), measures));
  },
);
