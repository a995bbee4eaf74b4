import { shortNumber } from "../../core/quantities.ts";
import { copyMeasure, makeMeasured, measured } from "../state/measure.ts";
import { chooseTool, tool } from "../state/view-state.ts";
import { IconButton } from "../widget/icon.tsx";
import { parseNumber } from "../widget/quantities.ts";
import { useTypedText } from "../widget/typed-text.ts";

/** What the tool Measure has measured. */
export function MeasureCard() {
  if (tool.value !== "measure") return null;
  const { title, values, resizable } = measured.value ?? { values: [] };
  return (
    <section class="measure-card" aria-label="Measure">
      <header>
        <h2>{title ?? "Measure"}</h2>
        {values.length > 0 && (
          <IconButton icon="copy" name="Copy what is measured" shortcut="Ctrl+C" onClick={() => void copyMeasure()} />
        )}
        <IconButton icon="close" name="End measuring" onClick={() => chooseTool("select")} />
      </header>
      <div role="status">
        {values.length === 0 ? (
          <p class="note">Click a corner, an edge, a circle or a face, and then a second one.</p>
        ) : (
          <dl>
            {values.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {resizable && <MakeThis lengthMm={resizable.lengthMm} />}
    </section>
  );
}

/** Scales the part to a length that the person types. */
function MakeThis({ lengthMm }: { lengthMm: number }) {
  const { ref, show } = useTypedText(shortNumber(lengthMm, 3));
  const apply = async (): Promise<void> => {
    const typed = parseNumber(ref.current?.value ?? "");
    ref.current?.blur();
    if (typed !== undefined && typed !== Number(shortNumber(lengthMm, 3))) await makeMeasured(typed);
    show();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void apply();
      }}
    >
      <label>
        Make this
        <input ref={ref} type="text" inputMode="decimal" autocomplete="off" aria-label="Make this, mm" />
        mm
      </label>
      <button type="submit" class="plain">
        Scale the part
      </button>
    </form>
  );
}
