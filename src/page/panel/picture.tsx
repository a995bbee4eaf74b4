import { fieldsOf } from "../action/field.ts";
import type { Values } from "../../feature/page-row.ts";
import { bodyOf } from "../action/form-values.ts";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import { save } from "../state/download.ts";
import { scene, selectedIds } from "../state/project.ts";
import { formValues, setValues } from "../state/run-action.ts";
import { Fields } from "./fields.tsx";

const RENDER = "/v1/scene/render/";
const FIELDS = fieldsOf(ENDPOINT_FORMS[RENDER].body, ["scene_id", "model_ids", "file", "flyaround"]);

/** Number of frames of a full turn around the models. */
const FLYAROUND_FRAMES = 48;
const FLYAROUND_YAWS = [0, 90, 180, 270, 360];

/** Saves a picture of the scene, or an animation around it. */
export function Picture() {
  const values: Values = formValues.value[RENDER] ?? {};
  const isEmpty = (scene.value?.models.length ?? 0) === 0;
  const options = () => ({
    ...bodyOf(FIELDS, values),
    ...(selectedIds.value.length > 0 && { model_ids: selectedIds.value }),
  });
  const flyaround = () => {
    const yaw = Number(values.yaw ?? 45);
    const keyframes = FLYAROUND_YAWS.map((turn) => ({ yaw: yaw + turn, pitch: Number(values.pitch ?? 25) }));
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
      <Fields
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
