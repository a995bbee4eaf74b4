import { counted } from "../../core/quantities.ts";
import type { SupportArea } from "../action/support-edits.ts";
import {
  BRUSH_MM,
  FACE_DEG,
  areaSizes,
  brushKind,
  brushMm,
  clearArea,
  clearAreas,
  faceDeg,
  showAreas,
} from "../state/support-areas.ts";
import { supportDraft } from "../state/support-mode.ts";
import { SupportSlider } from "./support-slider.tsx";

type Mode = SupportArea["mode"];

const KINDS = [
  ["FACE", "Face"],
  ["BRUSH", "Brush"],
] as const;

const TITLES: Readonly<Record<Mode, string>> = { NEVER: "Protected", ALWAYS: "Always" };

const MEANINGS: Readonly<Record<Mode, string>> = {
  NEVER:
    "No support touches the part here. Points in it are left out when you apply; automatic points move to its rim, and the check tells what nothing holds.",
  ALWAYS: "Automatic points stand at half the usual distance here.",
};

/** The areas of one kind of the part whose supports are edited, and the brush for more. */
export function SupportAreas({ mode }: { mode: Mode }) {
  const own = (supportDraft.value?.areas ?? []).filter((area) => area.mode === mode);
  return (
    <>
      <BrushChoice />
      {own.length === 0 ? (
        <p class="note">
          {brushKind.value === "FACE" ? "Click a face" : "Draw on the part"} to{" "}
          {mode === "NEVER" ? "keep supports off it" : "hold it more densely"}.
        </p>
      ) : (
        <AreaCard mode={mode} areas={own} />
      )}
    </>
  );
}

function BrushChoice() {
  const kind = brushKind.value;
  return (
    <>
      <div class="size-classes" role="group" aria-label="What marks areas">
        {KINDS.map(([one, name]) => (
          <button key={one} type="button" aria-pressed={kind === one} onClick={() => (brushKind.value = one)}>
            {name}
          </button>
        ))}
      </div>
      {kind === "BRUSH" ? (
        <SupportSlider
          name="Brush"
          text={`${brushMm.value} mm`}
          title="Alt and the wheel change it as well"
          range={BRUSH_MM}
          step={0.5}
          value={brushMm.value}
          onChange={(value) => (brushMm.value = value)}
        />
      ) : (
        <SupportSlider
          name="Edges from"
          text={`${faceDeg.value}°`}
          title="A face goes on over edges that are flatter than this"
          range={FACE_DEG}
          step={1}
          value={faceDeg.value}
          onChange={(value) => (faceDeg.value = value)}
        />
      )}
    </>
  );
}

function AreaCard({ mode, areas }: { mode: Mode; areas: readonly SupportArea[] }) {
  const mm2 = areaSizes.value[mode === "NEVER" ? "never" : "always"];
  const size = mm2 === undefined ? "" : `, ${areaText(mm2)} mm²`;
  return (
    <section class="support-area" data-mode={mode.toLowerCase()} aria-label={TITLES[mode]}>
      <b role="status">
        {TITLES[mode]}: {counted(areas.length, "area")}
        {size}
      </b>
      <p>{MEANINGS[mode]}</p>
      <div class="area-buttons">
        <button type="button" class="plain" onClick={() => showAreas(areas)}>
          Show
        </button>
        <button type="button" class="link" onClick={() => clearAreas(mode)}>
          {areas.length === 1 ? "Clear" : "Clear all"}
        </button>
      </div>
      {areas.length > 1 && (
        <ul class="area-list" aria-label={`${TITLES[mode]} areas`}>
          {areas.map((area, i) => (
            <AreaRow key={i} area={area} number={i + 1} />
          ))}
        </ul>
      )}
    </section>
  );
}

function AreaRow({ area, number }: { area: SupportArea; number: number }) {
  const name = `${area.shape.kind === "FACE" ? "Face" : "Stroke"} ${number}`;
  return (
    <li>
      <span>{name}</span>
      <button type="button" class="link" aria-label={`Show ${name}`} onClick={() => showAreas([area])}>
        Show
      </button>
      <button type="button" class="link" aria-label={`Clear ${name}`} onClick={() => clearArea(area)}>
        Clear
      </button>
    </li>
  );
}

const areaText = (mm2: number): string => (mm2 < 10 ? mm2.toFixed(1) : Math.round(mm2).toLocaleString("en"));
