import { profileOf } from "../../catalog/profile.ts";
import { layersOf } from "../../scene/layers.ts";
import type { Model } from "../../scene/model.ts";
import type { Scene } from "../../scene/project.ts";
import { worldBox } from "../../scene/stand.ts";
import { estimateMeasures, type SlabbedBody } from "../../slice/time/estimate-measures.ts";
import { type PrintTime, printTime } from "../../slice/time/print-time.ts";

const KNOWN = new WeakMap<Scene, PrintTime>();

/** How long a scene prints, by what is known of its models' slabs, without slicing it. Worked out once for a scene. */
export function estimatedTime(scene: Scene): PrintTime {
  const known = KNOWN.get(scene) ?? estimate(scene);
  KNOWN.set(scene, known);
  return known;
}

function estimate(scene: Scene): PrintTime {
  const [x, y] = scene.setting.printerType.volume.dimensionsMm;
  return printTime(profileOf(scene.setting), estimateMeasures(layersOf(scene), bodiesOf(scene.models), x * y));
}

/** Each body once: copies at one height count as so many of it. */
function bodiesOf(models: readonly Model[]): SlabbedBody[] {
  const distinct = new Map<object, Map<string, SlabbedBody>>();
  for (const model of models) {
    const { slabs } = model.outline;
    const { min, max } = worldBox(model);
    const places = distinct.get(slabs) ?? new Map<string, SlabbedBody>();
    const place = `${min[2]} ${max[2]}`;
    const count = (places.get(place)?.count ?? 0) + 1;
    distinct.set(slabs, places.set(place, { slabs, bottomMm: min[2], topMm: max[2], scale: model.pose.scale, count }));
  }
  return [...distinct.values()].flatMap((places) => [...places.values()]);
}
