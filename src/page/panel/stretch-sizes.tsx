import { useState } from "preact/hooks";
import { shortNumber } from "../../core/quantities.ts";
import { boxSize } from "../../geometry/box.ts";
import { AXIS_INDICES, type Axis } from "../../geometry/vector.ts";
import { details, scene, selectedIds } from "../state/project.ts";
import { formValues, setValues } from "../state/run-action.ts";
import { view } from "../state/view-state.ts";
import { AXIS_NAMES } from "../view/axes.ts";
import { NumberCell } from "../widget/number-cell.tsx";

const PATH = "/v1/scene/model/stretch/";
/** Name of the tile whose form these fields belong to. */
export const STRETCH_TILE = "Stretch";
/** Digits of a factor: a thousandth of a millimetre at 1 m. */
const DIGITS = 6;

/** Sizes of a part along the axes of its file, as another way to give the factors. */
export function StretchSizes() {
  const [keepsProportions, setKeepsProportions] = useState(false);
  const [id, ...others] =
    selectedIds.value.length > 0 ? selectedIds.value : (scene.value?.models ?? []).map((one) => one.id);
  const mesh = scene.value?.models.find((one) => one.id === id)?.mesh;
  const scale = details.value.get(id ?? "")?.scale;
  const box = mesh === undefined ? undefined : view.value?.meshBox(mesh);
  if (!box || scale === undefined || others.length > 0) return null;
  const values = formValues.value[PATH] ?? {};
  const factors = (values.factors ?? {}) as Partial<Record<string, number>>;
  const sizeMm = (axis: Axis): number => boxSize(box)[axis] * scale;
  const resize = (axis: Axis, mm: number): void => {
    if (mm <= 0) return;
    const factor = Number((mm / sizeMm(axis)).toFixed(DIGITS));
    const changed = AXIS_NAMES.filter((_, one) => keepsProportions || one === axis);
    setValues(PATH, {
      ...values,
      factors: { ...factors, ...Object.fromEntries(changed.map((name) => [name, factor])) },
    });
  };
  return (
    <div class="stretch-sizes" role="group" aria-label="Sizes along the axes of the file">
      <div class="triple-row">
        <span class="triple-name">Sizes</span>
        {AXIS_INDICES.map((axis) => (
          <NumberCell
            key={axis}
            name={`Stretch to size ${AXIS_NAMES[axis]}, mm`}
            axis={AXIS_NAMES[axis]}
            value={shortNumber(sizeMm(axis) * (factors[AXIS_NAMES[axis]] ?? 1))}
            onChange={(mm) => resize(axis, mm)}
          />
        ))}
        <span class="unit">mm</span>
      </div>
      <label class="check-line">
        <input
          type="checkbox"
          checked={keepsProportions}
          onChange={(event) => setKeepsProportions(event.currentTarget.checked)}
        />
        Keep proportions
      </label>
    </div>
  );
}
