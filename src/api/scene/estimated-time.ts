import { profileOf } from "../../catalog/profile.ts";
import { once } from "../../core/once.ts";
import { layersOf } from "../../scene/layers.ts";
import type { Scene } from "../../scene/project.ts";
import { slabbedBodiesOf } from "../../scene/slabbed-bodies.ts";
import { estimateMeasures } from "../../slice/time/estimate-measures.ts";
import { type PrintTime, printTime } from "../../slice/time/print-time.ts";

/** How long a scene prints, by what is known of its models' slabs, without slicing it. Worked out once for a scene. */
export const estimatedTime = once((scene: Scene): PrintTime => {
  const [x, y] = scene.setting.printerType.volume.dimensionsMm;
  const measures = estimateMeasures(layersOf(scene), slabbedBodiesOf(scene.models), x * y);
  return printTime(profileOf(scene.setting), measures);
});
