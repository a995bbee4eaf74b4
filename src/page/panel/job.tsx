import { useSignal } from "@preact/signals";
import { labelOf } from "../action/form-field.ts";
import type { Metadata } from "../server/replies.ts";
import { family, isMeasuring, metadata, scene, summary, fetchedScene } from "../state/project.ts";
import { runReading } from "../state/scene-work.ts";
import { callEndpoint } from "../state/tasks.ts";
import { duration, millilitres, shortNumber } from "../../core/quantities.ts";
import { NOTHING, PENDING } from "../widget/quantities.ts";

/** Print time, material and layers of the scene in one line. */
export function JobFacts() {
  const facts = metadata.value;
  const isEmpty = (scene.value?.models.length ?? 0) === 0;
  const absent = isEmpty || !isMeasuring.value ? NOTHING : PENDING;
  const shown = isEmpty ? undefined : facts;
  return (
    <dl class="facts" aria-label="Job" aria-busy={isMeasuring.value}>
      <div>
        <dt>Time</dt>
        <dd>{shown ? duration(shown.estimated_print_time_s) : absent}</dd>
      </div>
      <div>
        <dt>{family.value === "resin" ? "Resin" : "Powder"}</dt>
        <dd>{shown ? materialOf(shown) : absent}</dd>
      </div>
      <div>
        <dt>Layers</dt>
        <dd>{shown ? shown.layer_count.toLocaleString("en") : absent}</dd>
      </div>
    </dl>
  );
}

const materialOf = ({ material_usage: { volume_ml, total_sintered_powder_kg } }: Metadata): string =>
  volume_ml === undefined ? `${shortNumber((total_sintered_powder_kg ?? 0) * 1000, 0)} g` : millilitres(volume_ml);

type Times = Readonly<Record<string, number>>;

/** All facts about print time and material, with buttons to compute the time from the sliced layers. */
export function JobTime() {
  const exact = useSignal<{ readonly version: number; readonly times: Times } | undefined>(undefined);
  const run = async (path: string): Promise<void> => {
    await runReading("Print time", async (context) => {
      const { id, version } = fetchedScene();
      const times = await callEndpoint<Times>(path, { scene_id: id }, context);
      exact.value = { version, times };
    });
  };
  const times = exact.value?.version === scene.value?.version ? exact.value?.times : undefined;
  const isEmpty = (scene.value?.models.length ?? 0) === 0;
  return (
    <div class="action">
      <JobMeasures times={times} />
      <div class="submit">
        <button type="button" disabled={isEmpty} onClick={() => void run("/v1/scene/calculate-print-time/")}>
          Time from layers
        </button>
        <button
          type="button"
          class="plain"
          disabled={isEmpty}
          onClick={() => void run("/v1/scene/estimate-print-time/")}
        >
          Estimate
        </button>
      </div>
    </div>
  );
}

/** All facts of the job. `times` are those from the sliced layers, if they are known. */
function JobMeasures({ times }: { times: Times | undefined }) {
  const facts = metadata.value;
  const setting = summary.value?.setting;
  return (
    <dl class="measures">
      <Row name="Printer" text={setting?.printer_label} />
      <Row name="Material" text={setting?.material_label} />
      {Object.entries(facts?.material_usage ?? {}).map(([name, value]) => (
        <Measure key={name} name={name} value={value} />
      ))}
      <Row name="Layers" text={facts?.layer_count ?? PENDING} />
      {facts && times === undefined && <Row name="Estimated time" text={duration(facts.estimated_print_time_s)} />}
      {Object.entries(times ?? {}).map(([name, seconds]) => (
        <Row key={name} name={labelOf(name.replace(/_s$/, "")).label} text={duration(seconds)} />
      ))}
    </dl>
  );
}

/** Labels and formats of material quantities. */
const MATERIAL: Readonly<Record<string, readonly [label: string, text: (value: number) => string]>> = {
  volume_ml: ["Resin", millilitres],
  unsupported_volume_ml: ["Resin without supports", millilitres],
  total_powder_ml: ["Powder", millilitres],
  total_powder_kg: ["Powder", (kg) => `${shortNumber(kg, 3)} kg`],
  total_sintered_powder_ml: ["Sintered", millilitres],
  total_sintered_powder_kg: ["Sintered", (kg) => `${shortNumber(kg, 3)} kg`],
  mass_packing_density: ["Packing density", (density) => `${shortNumber(density, 3)} kg/l`],
};

function Measure({ name, value }: { name: string; value: number }) {
  const [label, text] = MATERIAL[name] ?? [labelOf(name).label, String];
  return <Row name={label} text={text(value)} />;
}

const Row = ({ name, text }: { name: string; text: string | number | undefined }) => (
  <>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </>
);
