import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { damagedFile } from "../../fixture/damaged-files.ts";
import { FILE_KINDS } from "../../fixture/file-kinds.ts";
import { assertAnswered } from "../answer.ts";
import { type Family, type Lane, type SendInput, pick, pickWeighted } from "./family.ts";
import { openFormTask } from "../../../src/feature/projects/task.ts";
import { openFpsTask } from "../../../src/feature/print-settings/task.ts";

const REPAIRS = ["ERROR", "REPAIR", "IGNORE"];
const UNITS = ["DETECTED", "DETECTED", "MILLIMETERS", "INCHES"];
const SCENE = { machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1 };
/** The kinds of files that are read one at a time; projects have a separate family. */
const KINDS = FILE_KINDS.filter(({ task }) => task !== openFormTask);

/** Mutated model files and print settings. Imported models and scenes are listed and deleted again. */
export const mutatedModels: Family = {
  name: "files",
  share: 4,
  lanes: 2,
  async open(lane: Lane): Promise<SendInput> {
    const { random, server } = lane;
    const seeds = await Promise.all(KINDS.map(async (kind) => kind.seeds()));
    const scene_id = await server.newScene(SCENE);
    return async () => {
      // Readers of STEP take a hundred times as long as the others; the numbers of files of the kinds balance that.
      const kind = pickWeighted(KINDS, ({ files }) => files, random);
      const bytes = damagedFile(kind, seeds[KINDS.indexOf(kind)], random);
      const file = join(server.folder, `${lane.name}.${pick(kind.extensions, random)}`);
      writeFileSync(file, bytes);
      lane.note(bytes);
      if (kind.task === openFpsTask) {
        const reply = await lane.call("POST", "/v1/print-setting/validate/", { fps_file: file });
        assertAnswered(reply);
        return reply.status;
      }
      const reply = await lane.call("POST", "/v1/scene/model/import/", {
        scene_id,
        file,
        repair_behavior: pick(REPAIRS, random),
        units: pick(UNITS, random),
        split_multi_model_file: random() < 0.5,
      });
      assertAnswered(reply);
      if (reply.status !== 200) return reply.status;
      const listed = await lane.call("POST", "/v1/scene/model/list/", { scene_id });
      assertAnswered(listed);
      const deleted = await lane.call("DELETE", "/v1/scene/model/delete/", { scene_id });
      assertAnswered(deleted);
      return Math.max(listed.status, deleted.status);
    };
  },
};
