import { AXIS_INDICES } from "../../geometry/vector.ts";
import { hideMirrored, isEachForItself, mirror, showMirrored } from "../state/mirror.ts";
import { scene, selectedIds } from "../state/project.ts";
import { AXIS_NAMES } from "../view/axes.ts";
import { TrialLine } from "./trial-line.tsx";

/** Mirrors across x, y or z. A button that has the pointer or the focus shows the mirror image. */
export function MirrorForm() {
  const count = selectedIds.value.length || (scene.value?.models.length ?? 0);
  return (
    <div class="action" role="group" aria-labelledby="mirror-title">
      <h3 id="mirror-title">Mirror</h3>
      <div class="segments mirror-axes">
        {AXIS_INDICES.map((axis) => (
          <button
            key={axis}
            type="button"
            aria-label={`Mirror across ${AXIS_NAMES[axis]}`}
            onMouseEnter={() => showMirrored(axis)}
            onMouseLeave={() => hideMirrored(axis)}
            onFocus={() => showMirrored(axis)}
            onBlur={() => hideMirrored(axis)}
            onClick={() => void mirror(axis)}
          >
            {AXIS_NAMES[axis].toUpperCase()}
          </button>
        ))}
      </div>
      {count > 1 && (
        <label class="check-line">
          <input
            type="checkbox"
            checked={isEachForItself.value}
            onChange={(event) => (isEachForItself.value = event.currentTarget.checked)}
          />
          Each part about its own middle
        </label>
      )}
      <TrialLine path="/v1/scene/model/mirror/" />
    </div>
  );
}
