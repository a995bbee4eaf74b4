import { useEffect, useRef, useState } from "preact/hooks";
import { shortNumber } from "../../core/quantities.ts";
import { type ShownJob, closeJob, jobLayer, showJobLayer } from "../state/job-file.ts";
import { Icon, IconButton } from "../widget/icon.tsx";
import { JobFindings } from "./job-findings.tsx";
import { JobPicture } from "./job-picture.tsx";
import { JobSaveDialog } from "./job-save-dialog.tsx";
import { JobSheet } from "./job-sheet.tsx";
import { LayerNumber, LayerSlider } from "./layer-choice.tsx";

/** A job file over the scene: a picture of each layer, the facts, and what was found. */
export function JobView({ job }: { job: ShownJob }) {
  const [isSaving, setSaving] = useState(false);
  const ref = useRef<HTMLElement>(null);
  useFocusWithin(ref);
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <section ref={ref} class="job-view" aria-label={`Job file ${job.name}`}>
      <header>
        <h2>{job.name}</h2>
        <button type="button" onClick={() => setSaving(true)}>
          <Icon name="save" />
          Save as…
        </button>
        <IconButton icon="close" name="Close the job" shortcut="Esc" onClick={closeJob} />
      </header>
      <JobPicture key={job.address} job={job} />
      <JobLayers job={job} />
      <div class="job-panel">
        <JobFindings job={job} />
        <JobSheet job={job} />
      </div>
      {isSaving && <JobSaveDialog job={job} onClose={() => setSaving(false)} />}
    </section>
  );
}

/** Moves the focus to the slider, and back when the job is closed. */
function useFocusWithin(ref: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const opener = document.activeElement;
    ref.current?.querySelector<HTMLElement>("input[type=range]")?.focus();
    return () => {
      // The scene is inert until the view is removed.
      if (opener instanceof HTMLElement) setTimeout(() => opener.focus());
    };
  }, []);
}

/** Number of layers per press of Page Up or Page Down. */
const LARGE_STEP = 10;

/** The layer to which a key leads from layer `k`. */
const LAYER_OF_KEY: Readonly<Record<string, (k: number) => number>> = {
  ArrowUp: (k) => k + 1,
  ArrowRight: (k) => k + 1,
  ArrowDown: (k) => k - 1,
  ArrowLeft: (k) => k - 1,
  PageUp: (k) => k + LARGE_STEP,
  PageDown: (k) => k - LARGE_STEP,
  Home: () => 0,
  End: () => Number.MAX_SAFE_INTEGER,
};

function onKeyDown(event: KeyboardEvent): void {
  const { target, key } = event;
  const isElsewhere =
    target instanceof HTMLElement &&
    (target.matches("input:not([type=range]), select") || target.closest("dialog, .notices") !== null);
  if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
  const layerOf = LAYER_OF_KEY[key];
  if (layerOf) showJobLayer(layerOf(jobLayer.value));
  else if (key === "Escape") closeJob();
  else return;
  event.preventDefault();
}

/** Number, height and exposure of the shown layer, and the slider over all layers. */
function JobLayers({ job: { facts, frame } }: { job: ShownJob }) {
  const k = jobLayer.value;
  const count = facts.layer_count;
  const topMm = frame.boundaries_mm[k + 1] ?? 0;
  return (
    <div class="layer-bar job-layers" role="group" aria-label="Layers">
      <dl>
        <dt>Layer</dt>
        <dd>
          <LayerNumber index={k} count={count} onChange={showJobLayer} />
        </dd>
        <dt>Height</dt>
        <dd>{topMm.toFixed(3)} mm</dd>
        <dt>Exposure</dt>
        <dd>{shortNumber(frame.exposures_s[k] ?? 0)} s</dd>
      </dl>
      <LayerSlider
        index={k}
        count={count}
        text={`Layer ${k + 1} of ${count}, ${shortNumber(topMm, 3)} mm`}
        onChange={showJobLayer}
      />
    </div>
  );
}
