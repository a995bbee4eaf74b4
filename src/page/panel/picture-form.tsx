import { fieldsOf } from "../action/form-field.ts";
import type { Values } from "../../feature/page-row.ts";
import { bodyOf } from "../action/form-values.ts";
import { endpointForm } from "../server/endpoints.ts";
import { save } from "../state/download.ts";
import { selectedIds } from "../state/project.ts";
import { formValues, setValues } from "../state/run-action.ts";
import { Dialog } from "../widget/dialog.tsx";
import { FormFields } from "./form-fields.tsx";

const RENDER = "/v1/scene/render/";
const FIELDS = fieldsOf(endpointForm(RENDER).body, ["scene_id", "model_ids", "file", "flyaround"]);

/** Number of frames of one flight around the models. */
const FLYAROUND_FRAMES = 48;
const FLYAROUND_YAWS = [0, 90, 180, 270, 360];

/** Dialog that saves a picture of the scene, or an animation around it. */
export function PictureDialog({ onClose }: { onClose: () => void }) {
  const values: Values = formValues.value[RENDER] ?? {};
  const options = () => ({
    ...bodyOf(FIELDS, values),
    ...(selectedIds.value.length > 0 && { model_ids: selectedIds.value }),
  });
  const flyaround = () => {
    const yaw = Number(values.yaw ?? 45);
    const keyframes = FLYAROUND_YAWS.map((angle) => ({ yaw: yaw + angle, pitch: Number(values.pitch ?? 25) }));
    return { ...options(), flyaround: { keyframes, frame_count: FLYAROUND_FRAMES } };
  };
  const saveAs = (format: "png" | "webp", chosen: object): void => {
    onClose();
    void save(format, chosen);
  };
  return (
    <Dialog title="Picture" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          saveAs("png", options());
        }}
      >
        <FormFields
          fields={FIELDS}
          basic={["view_type", "image_size_px"]}
          values={values}
          onChange={(next) => setValues(RENDER, next)}
        />
        <footer>
          <button type="button" class="plain" onClick={() => saveAs("webp", flyaround())}>
            Save flyaround
          </button>
          <button type="submit" class="primary">
            Save picture
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
