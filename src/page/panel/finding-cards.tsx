import { counted } from "../../core/quantities.ts";
import { MAX_SHOWN_FINDINGS, type ShownFinding } from "../action/shown-findings.ts";
import { acceptFinding, applyFix, hideFix, showFix } from "../state/check-scene.ts";
import { fixTogether } from "../action/fix-together.ts";
import { openFindings } from "../state/scene-findings.ts";
import { triedFixes, tryFixes } from "../state/tried-fixes.ts";
import { chooseFinding, chosenFinding, stepPlace } from "../state/chosen-finding.ts";
import { details, scene } from "../state/project.ts";
import { movePartsToNewScene } from "../state/scenes.ts";
import { view } from "../state/view-state.ts";
import type { Marker } from "../view/view.ts";

/** Findings as cards, each with what may be done about it. */
export function FindingCards({ findings, label }: { findings: readonly ShownFinding[]; label: string }) {
  if (findings.length === 0) return null;
  const rest = findings.length - MAX_SHOWN_FINDINGS;
  return (
    <>
      <ul class="cards" aria-label={label}>
        {findings.slice(0, MAX_SHOWN_FINDINGS).map((finding) => (
          <Card key={finding.id} finding={finding} />
        ))}
      </ul>
      {rest > 0 && <p class="note">{counted(rest, "more finding")}, smaller ones.</p>}
    </>
  );
}

function Card({ finding }: { finding: ShownFinding }) {
  const { id, severity, text, why, accepted, is_old, model_ids } = finding;
  const isChosen = chosenFinding.value?.id === id;
  const parts = namesOf(model_ids);
  return (
    <li class="card" data-severity={severity.toLowerCase()} data-chosen={isChosen} data-idle={accepted || is_old}>
      <button type="button" class="card-title" aria-pressed={isChosen} onClick={() => void showFinding(finding)}>
        {text}
      </button>
      <p>
        {[parts, is_old ? "has changed since: check again" : accepted ? "accepted" : why].filter(Boolean).join(" · ")}
      </p>
      {!is_old && <CardActions finding={finding} />}
      {isChosen && <PlaceSteps />}
    </li>
  );
}

/** Most names of parts on a card. */
const MAX_NAMES = 3;

/** Names of the parts of a finding, or their number. */
export function namesOf(ids: readonly string[]): string {
  const names = [...new Set(ids.map((id) => details.value.get(id)?.name ?? "a part that is gone"))];
  return names.length <= MAX_NAMES ? names.join(", ") : counted(ids.length, "part");
}

function CardActions({ finding }: { finding: ShownFinding }) {
  const { accepted, kind, isWithoutRoom, isOfCheck, model_ids, text } = finding;
  const together = fixTogether(finding, openFindings.value);
  const fixes = [...finding.fixes, ...(together ? [together] : []), ...triedFixes(finding)];
  const sceneId = scene.value?.id ?? "";
  if (accepted)
    return (
      <div class="card-actions">
        <button type="button" class="link" onClick={() => void acceptFinding(finding, false)}>
          Do not accept
        </button>
      </div>
    );
  return (
    <div class="card-actions">
      {isWithoutRoom && (
        <button type="button" class="primary" onClick={() => void movePartsToNewScene(sceneId, model_ids)}>
          Move {model_ids.length} to a new scene
        </button>
      )}
      {fixes.map((fix, i) => (
        <button
          key={fix.title}
          type="button"
          class={i === 0 && !isWithoutRoom ? "primary" : "plain"}
          title={text}
          onMouseEnter={() => showFix(fix)}
          onMouseLeave={() => hideFix(fix)}
          onFocus={() => showFix(fix)}
          onBlur={() => hideFix(fix)}
          onClick={onlyOnce(() => void applyFix(fix))}
        >
          {fix.title}
        </button>
      ))}
      {/* The server refuses to print what is outside, and knows only the findings of its checks. */}
      {kind !== "IN_BOUNDS" && isOfCheck && (
        <button
          type="button"
          class="link"
          aria-label={`Accept: ${text}`}
          onClick={onlyOnce(() => void acceptFinding(finding, true))}
        >
          Accept
        </button>
      )}
    </div>
  );
}

/** The second click of a double click would meet the card that has moved up. */
const onlyOnce =
  (act: () => void) =>
  ({ detail }: { readonly detail: number }): void => {
    if (detail < 2) act();
  };

/** Buttons to the next and previous place of the chosen finding. */
function PlaceSteps() {
  const { places = [], at } = chosenFinding.value ?? {};
  if (places.length < 2) return null;
  const step = (by: 1 | -1): void => frame([stepPlace(by)].filter((place) => place !== undefined));
  return (
    <div class="card-steps">
      <button type="button" class="plain" aria-label="Previous place" onClick={() => step(-1)}>
        ‹
      </button>
      <span role="status">{at === undefined ? `${places.length} places` : `${at + 1} of ${places.length}`}</span>
      <button type="button" class="plain" aria-label="Next place" onClick={() => step(1)}>
        ›
      </button>
    </div>
  );
}

const frame = (places: readonly Marker[]): void => view.value?.frame(places);

/** Shows the parts of a finding at once, and its places when they are known. */
export async function showFinding(finding: ShownFinding): Promise<void> {
  const places = chooseFinding(finding);
  void tryFixes(finding);
  frame([]);
  const known = await places;
  if (known.length > 0) frame(known);
}
