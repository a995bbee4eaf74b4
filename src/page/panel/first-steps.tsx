import { useState } from "preact/hooks";
import type { PageSetting } from "../../ui/replies.ts";
import { chooseModels } from "../state/import-files.ts";
import { summary } from "../state/project.ts";
import { trySamplePart } from "../state/sample-part.ts";
import { SceneDialog } from "./scene-dialog.tsx";

const STEPS: Readonly<Record<PageSetting["family"], readonly [title: string, text: string][]>> = {
  resin: [
    ["Add parts.", "They are placed side by side."],
    ["Prepare.", "Turned, supported, laid out, checked."],
    ["Print.", "To a printer, or as a file for it."],
  ],
  powder: [
    ["Add parts.", "They get free places in the chamber."],
    ["Prepare.", "Packed and checked."],
    ["Print.", "To a printer, or as a file for it."],
  ],
};

/** Card over an empty scene: how to begin, and on what it prints. */
export function FirstSteps() {
  const [isChanging, setChanging] = useState(false);
  const setting = summary.value?.setting;
  return (
    <section class="first-steps" aria-label="First steps">
      <h2>Drop STL, 3MF, STEP … here</h2>
      <div class="buttons">
        <button type="button" class="primary" onClick={chooseModels}>
          Choose files
        </button>
        <button type="button" class="plain" onClick={() => void trySamplePart()}>
          Try a sample part
        </button>
      </div>
      {setting && (
        <>
          <ol>
            {STEPS[setting.family].map(([title, text], i) => (
              <li key={title}>
                <b>
                  {i + 1} {title}
                </b>{" "}
                {text}
              </li>
            ))}
          </ol>
          <p class="prints-on">
            <span>
              Prints on <b>{setting.printer_label}</b> {settingText(setting)}
            </span>
            <button
              type="button"
              class="link"
              aria-label="Change printer and material"
              onClick={() => setChanging(true)}
            >
              Change
            </button>
          </p>
        </>
      )}
      {isChanging && <SceneDialog isNew={false} onClose={() => setChanging(false)} />}
    </section>
  );
}

/** "Grey V5 · 0.1 mm". */
export function settingText({ material_label, layer_thickness_mm }: PageSetting): string {
  const thickness = layer_thickness_mm === "ADAPTIVE" ? "adaptive layers" : `${layer_thickness_mm} mm`;
  return `${material_label} · ${thickness}`;
}
