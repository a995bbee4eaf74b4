import type { Vec3 } from "../../geometry/vector.ts";
import { useState } from "preact/hooks";
import type { PlaceNeed } from "../../feature/page-row.ts";
import { selectedIds, details } from "../state/project.ts";
import { addPlace, pickFor, pickingFor, surfacePlaces } from "../state/view-state.ts";
import { Icon } from "../widget/icon.tsx";
import { shortNumber } from "../../core/quantities.ts";
import { parseNumber } from "../widget/quantities.ts";

/** Surface normals to choose from, for users who type a place instead of clicking it. */
type Facing = readonly [name: string, normal: Vec3];
const FACINGS: readonly [Facing, ...Facing[]] = [
  ["Front", [0, -1, 0]],
  ["Back", [0, 1, 0]],
  ["Left", [-1, 0, 0]],
  ["Right", [1, 0, 0]],
  ["Top", [0, 0, 1]],
  ["Bottom", [0, 0, -1]],
];

/** Places on surfaces for an action: clicked in the view, or typed. */
export function Places({ path, need }: { path: string; need: PlaceNeed }) {
  const isPicking = pickingFor.value === path;
  const chosen = isPicking ? surfacePlaces.value : [];
  return (
    <div class="places">
      <button
        type="button"
        class="plain"
        aria-pressed={isPicking}
        onClick={() => pickFor(isPicking ? undefined : path)}
      >
        <Icon name="pick" />
        {isPicking ? "Click on the part…" : need === "many" ? "Choose places" : "Choose the place"}
      </button>
      {isPicking && (
        <>
          <ol aria-label="Places">
            {chosen.map(({ point }, i) => (
              <li key={point.join(" ")}>
                <span>{point.map((value) => shortNumber(value, 1)).join(", ")} mm</span>
                <button
                  type="button"
                  class="link"
                  onClick={() => (surfacePlaces.value = surfacePlaces.value.filter((_, at) => at !== i))}
                >
                  Remove
                </button>
              </li>
            ))}
          </ol>
          <TypedPlace isOnlyOne={need === "one"} />
        </>
      )}
    </div>
  );
}

/** Adds a place by its coordinates, for users without a pointer. */
function TypedPlace({ isOnlyOne }: { isOnlyOne: boolean }) {
  const [texts, setTexts] = useState(["0", "0", "0"]);
  const [facing, setFacing] = useState(0);
  const modelId = selectedIds.value[0] ?? [...details.value.keys()][0];
  const add = (): void => {
    const [x = 0, y = 0, z = 0] = texts.map(parseNumber);
    const [, normal] = FACINGS[facing] ?? FACINGS[0];
    if (modelId !== undefined) addPlace({ modelId, point: [x, y, z], normal }, isOnlyOne);
  };
  return (
    <details class="options">
      <summary>Type a place</summary>
      <div class="triple">
        {["x", "y", "z"].map((axis, i) => (
          <label key={axis}>
            {axis.toUpperCase()}
            <input
              type="text"
              inputMode="decimal"
              aria-label={`Place ${axis}, mm`}
              value={texts[i]}
              onInput={(event) => setTexts(texts.with(i, event.currentTarget.value))}
            />
          </label>
        ))}
      </div>
      <div class="field">
        <label for="facing">Surface faces</label>
        <select id="facing" value={facing} onChange={(event) => setFacing(Number(event.currentTarget.value))}>
          {FACINGS.map(([name], i) => (
            <option key={name} value={i}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <button type="button" class="plain" onClick={add}>
        Add place
      </button>
    </details>
  );
}
