import { useEffect } from "preact/hooks";
import { shownJob } from "../state/job-file.ts";
import { type ShownLayers, isLayerMode, layerIndex, sceneLayers, showLayer, toggleLayers } from "../state/layers.ts";
import { scene } from "../state/project.ts";
import { IconButton } from "../widget/icon.tsx";
import { must } from "../../core/must.ts";
import { duration, shortNumber } from "../../core/quantities.ts";
import { LayerTicks } from "./layer-tools.tsx";
import { LayerNumber, LayerSlider } from "./layer-choice.tsx";

/** Number of layers per press of Page Up or Page Down with Shift. */
const LARGE_STEP = 10;

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input:not([type=range]), select");

const isInList = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("[role=listbox], [role=menu], [role=tablist]") !== null;

/** Slider over the layers of the scene, with height, area and time of the shown one. */
export function LayerBar() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isLayerMode.value || shownJob.value || isField(event.target)) return;
      const by = { PageUp: 1, PageDown: -1, Home: -Infinity, End: Infinity }[event.key];
      // In a list, Home and End are its own ends.
      if (by === undefined || (Math.abs(by) === Infinity && isInList(event.target))) return;
      showLayer(
        Math.max(0, Math.min(Number.MAX_SAFE_INTEGER, layerIndex.value + by * (event.shiftKey ? LARGE_STEP : 1))),
      );
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  const shown = sceneLayers.value;
  if (!isLayerMode.value) return null;
  const ready = shown?.sceneId === scene.value?.id && shown?.count ? shown : undefined;
  return (
    <div class="layer-bar" role="group" aria-label="Layers">
      <IconButton icon="close" name="Close the layers" shortcut="L" onClick={toggleLayers} />
      {ready ? <Slider layers={ready} /> : <p class="note">{shown?.count === 0 ? "Nothing to slice." : "Slicing…"}</p>}
    </div>
  );
}

const layerTime = (seconds: number): string => (seconds < 60 ? `${shortNumber(seconds, 1)} s` : duration(seconds));

function Slider({ layers: { count, boundaries_mm, measures } }: { layers: ShownLayers }) {
  const k = Math.min(layerIndex.value, count - 1);
  const topMm = must(boundaries_mm[k + 1], `The height of layer ${k + 1}`);
  const areaMm2 = measures?.areas_mm2[k];
  const seconds = measures?.times_s[k];
  const text = `Layer ${k + 1} of ${count}, ${shortNumber(topMm, 3)} mm`;
  return (
    <>
      <dl>
        <dt>Layer</dt>
        <dd>
          <LayerNumber index={k} count={count} onChange={showLayer} />
        </dd>
        <dt>Height</dt>
        <dd>{topMm.toFixed(3)} mm</dd>
        <dt>Area</dt>
        <dd>{areaMm2 === undefined ? "…" : `${shortNumber(areaMm2, 1)} mm²`}</dd>
        <dt>Time</dt>
        <dd>{seconds === undefined ? "…" : layerTime(seconds)}</dd>
      </dl>
      <div class="layer-range">
        <LayerSlider index={k} count={count} text={text} onChange={showLayer} />
        <LayerTicks count={count} />
      </div>
    </>
  );
}
