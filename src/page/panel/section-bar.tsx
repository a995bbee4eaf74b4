import { AXIS_INDICES } from "../../geometry/vector.ts";
import { shortNumber } from "../../core/quantities.ts";
import {
  SECTION_FACE,
  chooseSectionFace,
  flipSection,
  section,
  sectionAcrossAxis,
  sectionFromView,
  sectionRange,
} from "../state/section.ts";
import { pickingFor } from "../state/view-state.ts";
import { AXIS_NAMES } from "../view/axes.ts";
import { IconButton } from "../widget/icon.tsx";

/** Direction and place of the section, beside the tool bar. */
export function SectionBar() {
  const shown = section.value;
  if (!shown) return null;
  const { normal, atMm } = shown;
  const [fromMm, toMm] = sectionRange(normal);
  const isAcross = (axis: number): boolean => normal.every((value, i) => Math.abs(value) === (i === axis ? 1 : 0));
  return (
    <div class="section-bar" role="group" aria-label="Section">
      <b>Section</b>
      {AXIS_INDICES.map((axis) => (
        <button
          key={axis}
          type="button"
          aria-label={`Section across ${AXIS_NAMES[axis]}`}
          aria-pressed={isAcross(axis)}
          onClick={() => sectionAcrossAxis(axis)}
        >
          {AXIS_NAMES[axis].toUpperCase()}
        </button>
      ))}
      <button type="button" onClick={sectionFromView}>
        From view
      </button>
      <button type="button" aria-pressed={pickingFor.value === SECTION_FACE} onClick={chooseSectionFace}>
        From a face
      </button>
      <input
        type="range"
        aria-label="Place of the section"
        aria-valuetext={`${shortNumber(atMm)} mm`}
        min={fromMm}
        max={toMm}
        step={(toMm - fromMm) / STEPS || 1}
        value={atMm}
        onInput={({ currentTarget }) => (section.value = { normal, atMm: Number(currentTarget.value) })}
      />
      <button type="button" title="Flip (Shift+X)" onClick={flipSection}>
        Flip
      </button>
      <IconButton icon="close" name="End the section" shortcut="X" onClick={() => (section.value = undefined)} />
    </div>
  );
}

/** Number of steps of the slider. */
const STEPS = 500;
