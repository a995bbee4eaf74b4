import { fieldsOf } from "../action/form-field.ts";
import type { Values } from "../../feature/page-row.ts";
import { bodyOf } from "../action/form-values.ts";
import { endpointForm } from "../server/endpoints.ts";
import { save } from "../state/download.ts";
import { scene, selectedIds } from "../state/project.ts";
import { formValues, setValues } from "../state/run-action.ts";
import { FormFields } from "./form-fields.tsx";

const RENDER = "/v1/scene/render/";
const FIELDS = fieldsOf(endpointForm(RENDER).body, ["scene_id", "model_ids", "file", "flyaround"]);

/** Number of frames of one flight around the models. */
const FLYAROUND_FRAMES = 48;
const FLYAROUND_YAWS = [0, 90, 180, 270, 360];

/** Saves a picture of the scene, or an animation around it. */
export function PictureForm() {
  const values: Values = formValues.value[RENDER] ?? {};
  const isEmpty = (scene.value?.models.length ?? 0) === 0;
  const options = () => ({
    ...bodyOf(FIELDS, values),
    ...(selectedIds.value.length > 0 && { model_ids: selectedIds.value }),
  });
  const flyaround = () => {
    const yaw = Number(values.yaw ?? 45);
    const keyframes = FLYAROUND_YAWS.map((angle) => ({ yaw: yaw + angle, pitch: Number(values.pitch ?? 25) }));
    return { ...options(), flyaround: { keyframes, frame_count: FLYAROUND_FRAMES } };
  };
  return (
    <form
      class="action"
      noValidate
      aria-label="Picture"
      onSubmit={(event) => {
        event.preventDefault();
        void save("png", options());
      }}
    >
      <FormFields
        fields={FIELDS}
        basic={["view_type", "image_size_px"]}
        values={values}
        onChange={(next) => setValues(RENDER, next)}
      />
      <div class="submit">
        <button type="submit" disabled={isEmpty}>
          Save picture
        </button>
        <button type="button" class="plain" disabled={isEmpty} onClick={() => void save("webp", flyaround())}>
          Save flyaround
        </button>
      </div>
    </form>
  );
}
