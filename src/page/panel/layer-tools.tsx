import { shortNumber } from "../../core/quantities.ts";
import { marksHere, nextMarkedLayer, layerMarks, showMarkedLayer } from "../state/layer-marks.ts";
import { PLAY_RATES, isPlaying, playRate, togglePlay } from "../state/layer-play.ts";
import { LAYER_VIEWS, isLayerMode, layerIndex, layerView, sceneLayers, slicedShare } from "../state/layers.ts";
import { scene } from "../state/project.ts";

const VIEW_NAMES = { CUT: "3D", BOTH: "3D + mask", MASK: "Mask" } as const;

/** Choice between the cut parts and the mask, above the view of layers. */
export function LayerViewChoice() {
  if (!isLayerMode.value) return null;
  return (
    <div class="layer-views" role="group" aria-label="What is shown of a layer">
      {LAYER_VIEWS.map((one) => (
        <button key={one} type="button" aria-pressed={layerView.value === one} onClick={() => (layerView.value = one)}>
          {VIEW_NAMES[one]}
        </button>
      ))}
    </div>
  );
}

/** Play, and jumps to islands and cups, below the view of layers. */
export function LayerTools() {
  const shown = sceneLayers.value;
  if (!isLayerMode.value || !shown?.count) return null;
  return (
    <div class="layer-tools" role="group" aria-label="Steps through the layers">
      <button type="button" onClick={() => void togglePlay()}>
        {isPlaying.value ? "Stop" : "Play"}
      </button>
      <select
        aria-label="Layers in a second"
        value={playRate.value}
        onChange={({ currentTarget }) => {
          const rate = PLAY_RATES.find((one) => String(one) === currentTarget.value);
          if (rate !== undefined) playRate.value = rate;
        }}
      >
        {PLAY_RATES.map((rate) => (
          <option key={rate} value={rate}>
            {rate}/s
          </option>
        ))}
      </select>
      <MarkButton kind="ISLAND" step={-1} text="‹ Island" name="Last island" />
      <span class="layer-place">
        <b>{layerIndex.value + 1}</b> of {shown.count}
        {slicedShare.value !== undefined && ` · sliced ${Math.floor(100 * slicedShare.value)} %`}
      </span>
      <MarkButton kind="ISLAND" step={1} text="Island ›" name="Next island" />
      <MarkButton kind="CUP" step={1} text="Cup ›" name="Next cup" />
      <p class="layer-marks-here" role="status">
        {marksHere.value.map((mark) => textOf(mark)).join("; ")}
      </p>
    </div>
  );
}

type Mark = NonNullable<typeof layerMarks.value>[number];

function textOf({ kind, held, model_id, size }: Mark): string {
  const part = scene.value?.models.find(({ id }) => id === model_id)?.name ?? "a part";
  if (kind === "CUP") return `A cup of ${shortNumber(size / 1000, 2)} ml in ${part}`;
  return `An island of ${part} begins here, ${held ? "held by a support" : "held by nothing"}`;
}

function MarkButton({ kind, step, text, name }: { kind: Mark["kind"]; step: 1 | -1; text: string; name: string }) {
  return (
    <button
      type="button"
      aria-label={name}
      disabled={nextMarkedLayer(kind, step) === undefined}
      onClick={() => showMarkedLayer(kind, step)}
    >
      {text}
    </button>
  );
}

/** Ticks beside the slider of layers: islands that are held, those that are not, and cups. */
export function LayerTicks({ count }: { count: number }) {
  return (
    <div class="layer-ticks" aria-hidden="true">
      {layerMarks.value?.map(({ layer, kind, held }, i) => (
        <i
          key={i}
          class={kind === "CUP" ? "tick-cup" : held ? "tick-held" : "tick-loose"}
          style={{ bottom: `${(100 * (layer + 0.5)) / count}%` }}
        />
      ))}
    </div>
  );
}
