import { profileOf } from "../../catalog/profile.ts";
import { layersOf } from "../../scene/layers.ts";
import type { Scene } from "../../scene/project.ts";
import { worldBox } from "../../scene/stand.ts";
import { estimateMeasures, type SlabbedBody } from "../../slice/time/estimate-measures.ts";
import { type PrintTime, printTime } from "../../slice/time/print-time.ts";

/** How long a scene prints, by what is known of its models' slabs, without slicing it. */
export function estimatedTime(scene: Scene): PrintTime {
  const [x, y] = scene.setting.printerType.volume.dimensionsMm;
  const bodies = scene.models.map((model): SlabbedBody => {
    const { min, max } = worldBox(model);
    return { slabs: model.outline.slabs, bottomMm: min[2], topMm: max[2], scale: model.pose.scale };
  });
  return printTime(profileOf(scene.setting), estimateMeasures(layersOf(scene), bodies, x * y));
}
