import type { Action } from "../../feature/page-row.ts";
import { checkScene, isChecking } from "../state/check-scene.ts";
import { scene } from "../state/project.ts";
import { isUnchecked, sceneFindings } from "../state/scene-findings.ts";
import { Icon } from "../widget/icon.tsx";
import { Checks } from "./checks.tsx";
import { FindingCards } from "./finding-cards.tsx";

/** The step Check: its button, what was found, what has passed, and the checks of single kinds. */
export function CheckStep({ actions }: { actions: readonly Action[] }) {
  const isEmpty = (scene.value?.models.length ?? 0) === 0;
  const isRunning = isChecking(scene.value?.id);
  return (
    <div class="check-step">
      <FindingCards findings={sceneFindings.value} label="Findings" />
      <PassedChecks />
      <button
        type="button"
        class={isUnchecked.value ? "primary" : "plain"}
        disabled={isEmpty || isRunning}
        onClick={() => void checkScene()}
      >
        {isRunning ? "Checking…" : scene.value?.findings ? "Check again" : "Check now"}
      </button>
      <Checks actions={actions} />
    </div>
  );
}

/** What the checks say that found nothing. */
const PASSED: Readonly<Record<string, string>> = {
  IN_BOUNDS: "All parts are inside the build volume",
  INTERFERENCES: "No parts overlap",
  MANIFOLDNESS: "All meshes are closed",
  CUPS: "No cup traps resin",
  MINIMA: "Every low point is supported",
  SUPPORTEDNESS: "Overhangs are supported",
  SUPPORTS: "Supports are sound",
  THIN_FEATURES: "No wall is too thin",
};

function PassedChecks() {
  const found = new Set(sceneFindings.value.map(({ kind }) => kind));
  const checks = scene.value?.findings?.checks ?? [];
  const passed = checks.filter(({ kind, old_model_ids }) => old_model_ids.length === 0 && !found.has(kind));
  if (passed.length === 0) return null;
  return (
    <ul class="passed" aria-label="Passed checks">
      {passed.map(({ kind }) => (
        <li key={kind}>
          <Icon name="check" />
          {PASSED[kind] ?? kind}
        </li>
      ))}
    </ul>
  );
}
