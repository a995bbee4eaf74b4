import { useRef } from "preact/hooks";
import { counted, shortNumber } from "../../core/quantities.ts";
import { SIZE_CLASSES, type SizeClass, classSizeMm } from "../action/support-edits.ts";
import { chooseAutomaticPoints, holdIslands, pillarStrength, removeAllSupports } from "../state/apply-supports.ts";
import { supportStruts } from "../state/support-draft.ts";
import {
  type SupportMode,
  type SupportTab,
  chooseTab,
  classOfSize,
  editSelectedSupports,
  editablePart,
  isChangingSupports,
  newSizeMm,
  selectedPoints,
  setSize,
  setSizeClass,
  supportDraft,
  supportMode,
  supportTab,
} from "../state/support-mode.ts";
import { sliceShare } from "../state/support-slice.ts";
import { parseNumber } from "../widget/quantities.ts";
import { useTypedText } from "../widget/typed-text.ts";
import { PointList } from "./point-list.tsx";
import { SupportSlider } from "./support-slider.tsx";
import { SupportAreas } from "./support-areas.tsx";

/** Button that begins to edit the support points of the selected part. */
export function EditPointsButton() {
  const parts = editablePart.value;
  const [part] = parts;
  return (
    <div class="edit-points">
      <button type="button" class="plain" disabled={!part} aria-keyshortcuts="T" onClick={editSelectedSupports}>
        Edit points
      </button>
      <small>
        {part
          ? parts.length > 1
            ? `Of all ${parts.length} copies of ${part.name}`
            : `Of ${part.name}`
          : "Select one part first."}
      </small>
    </div>
  );
}

const TABS: readonly [tab: SupportTab, name: string][] = [
  ["POINTS", "Points"],
  ["PROTECT", "Protect"],
  ["ALWAYS", "Always"],
  ["AUTOMATIC", "Automatic"],
];

/** The step Support while points are edited. */
export function SupportModePanel({ mode }: { mode: SupportMode }) {
  const tab = supportTab.value;
  return (
    <div class="support-mode">
      <div class="segments" role="tablist" aria-label="What is edited">
        {TABS.map(([one, name]) => (
          <button key={one} type="button" role="tab" aria-selected={tab === one} onClick={() => chooseTab(one)}>
            {name}
          </button>
        ))}
      </div>
      <Counts />
      {mode.copyIds.length > 1 && <Copies mode={mode} />}
      {tab === "POINTS" && <Sizes mode={mode} />}
      {(tab === "PROTECT" || tab === "ALWAYS") && <SupportAreas mode={tab === "PROTECT" ? "NEVER" : "ALWAYS"} />}
      {tab === "AUTOMATIC" && <Automatic />}
      <SliceOfView />
      <Strength />
      {tab === "POINTS" && <PointList mode={mode} />}
      <div class="support-actions">
        <button type="button" disabled={isChangingSupports.value} onClick={() => void holdIslands()}>
          Hold islands
        </button>
        <button
          type="button"
          class="danger"
          disabled={isChangingSupports.value || (supportDraft.value?.points.length ?? 0) === 0}
          onClick={() => void removeAllSupports()}
        >
          Remove all supports
        </button>
      </div>
    </div>
  );
}

function Counts() {
  const points = supportDraft.value?.points ?? [];
  const byHand = points.filter(({ isByHand }) => isByHand).length;
  return (
    <p class="support-row">
      <span>Points</span>
      <output>
        <b>{points.length}</b> · {points.length - byHand} automatic · {byHand} by hand
      </output>
    </p>
  );
}

/** Whether all copies of a fold get the edits, or the first one alone. */
function Copies({ mode }: { mode: SupportMode }) {
  return (
    <p class="support-row">
      <span>Edits all {mode.copyIds.length} copies</span>
      <button type="button" class="link" onClick={() => (supportMode.value = { ...mode, copyIds: [mode.modelId] })}>
        Edit only {mode.part.name}
      </button>
    </p>
  );
}

const CLASS_NAMES: Readonly<Record<SizeClass, string>> = { LIGHT: "Light", MEDIUM: "Medium", HEAVY: "Heavy" };
const CLASSES = Object.keys(SIZE_CLASSES) as SizeClass[];
const CLASS_KEYS: Readonly<Record<SizeClass, string>> = { LIGHT: "Q", MEDIUM: "W", HEAVY: "E" };

/** Diameter of the selected points if they have one in common; without a selection that of new points. */
function commonSizeMm(): number | undefined {
  const { value: chosen } = selectedPoints;
  if (chosen.size === 0) return newSizeMm.value;
  const sizes = new Set(supportDraft.value?.points.filter(({ key }) => chosen.has(key)).map(({ sizeMm }) => sizeMm));
  return sizes.size === 1 ? [...sizes][0] : undefined;
}

/** Buttons of the classes: for the selected points, or else for new ones. */
export function SizeButtons({ mode, hasSizes = true }: { mode: SupportMode; hasSizes?: boolean }) {
  const present = commonSizeMm();
  const chosen = present === undefined ? undefined : classOfSize(present, mode.usualMm);
  return (
    <>
      {CLASSES.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={chosen === one}
          aria-keyshortcuts={CLASS_KEYS[one]}
          title={`${CLASS_NAMES[one]} (${CLASS_KEYS[one]})`}
          onClick={() => setSizeClass(one)}
        >
          <span class={`point-dot point-${one.toLowerCase()}`} />
          {CLASS_NAMES[one]}
          {hasSizes && <small>ø {shortNumber(classSizeMm(one, mode.usualMm))} mm</small>}
        </button>
      ))}
    </>
  );
}

function Sizes({ mode }: { mode: SupportMode }) {
  const count = selectedPoints.value.size;
  const sizeMm = commonSizeMm();
  const text = sizeMm === undefined ? "" : shortNumber(sizeMm);
  const { ref, show } = useTypedText(text);
  const problem = useRef<HTMLParagraphElement>(null);
  const take = (typed: string): void => {
    const value = parseNumber(typed);
    const isGood = value !== undefined && value >= 0.1 && value <= 5;
    if (problem.current) problem.current.textContent = isGood || typed === "" ? "" : "From 0.1 to 5 mm.";
    if (isGood && typed !== text) setSize(value);
    show();
  };
  const which = count === 0 ? "New points" : counted(count, "point");
  const name = sizeMm === undefined ? "of several sizes" : classOfSize(sizeMm, mode.usualMm)?.toLowerCase();
  return (
    <>
      <div class="size-classes" role="group" aria-label={count === 0 ? "Size of new points" : "Size of the selection"}>
        <SizeButtons mode={mode} />
      </div>
      <div class="support-row">
        <span>
          {which} {count === 1 ? "is" : "are"} {name ?? "of this size"}
        </span>
        <span class="typed-size">
          ø
          <input
            ref={ref}
            type="text"
            inputMode="decimal"
            autocomplete="off"
            aria-label="Diameter, mm"
            placeholder="mixed"
            onKeyDown={(event) => {
              if (event.key === "Enter") event.currentTarget.blur();
            }}
            onBlur={({ currentTarget }) => take(currentTarget.value)}
          />
          mm
        </span>
      </div>
      <p ref={problem} class="problem" role="alert" />
    </>
  );
}

function Automatic() {
  return (
    <div class="support-automatic">
      <p class="note">
        Chooses the automatic points anew. Points by hand, locked points and areas stay; your edits are applied first.
      </p>
      <button
        type="button"
        class="plain"
        disabled={isChangingSupports.value}
        onClick={() => void chooseAutomaticPoints()}
      >
        Choose automatic points
      </button>
    </div>
  );
}

/** Cuts off what is in front of a plane across the line of sight, so that places inside the part can be reached. */
function SliceOfView() {
  const { value } = sliceShare;
  return (
    <SupportSlider
      name="Slice of view"
      text={value === 0 ? "off" : `${Math.round(100 * value)} %`}
      title="Cuts off what is nearer to you"
      range={[0, 0.99]}
      step={0.01}
      value={value}
      onChange={(share) => (sliceShare.value = share)}
    />
  );
}

/** What the draft says of the pillars. */
function Strength() {
  const struts = supportStruts.value;
  const strength = pillarStrength();
  const unreached = struts?.unreached.size ?? 0;
  return (
    <>
      <p class="support-row">
        <span>Weakest pillar</span>
        <output data-quality={strength ? (strength.isWeak ? "warning" : "success") : ""}>
          {strength?.text ?? (struts ? "no pillar yet" : "…")}
        </output>
      </p>
      <p class="support-row">
        <span>Unreached points</span>
        <output data-quality={struts ? (unreached > 0 ? "warning" : "success") : ""}>{struts ? unreached : "…"}</output>
      </p>
    </>
  );
}
