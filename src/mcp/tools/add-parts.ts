import { extname } from "node:path";
import * as v from "valibot";
import { field } from "../../api/field.ts";
import { inputError } from "../../core/api-error.ts";
import { UNITS } from "../../core/units.ts";
import { listParts } from "../plate-summary.ts";
import { defineTool, plate as plateField } from "../tool.ts";
import { warningsInWords } from "../tool-words.ts";
import type { ToolCall } from "../workspace.ts";

/** Most files of a call. */
const MAX_FILES = 200;
/** Most copies of each part. */
const MAX_COPIES = 1000;

/** Adds parts of model files to a plate. */
export const addParts = defineTool(
  {
    name: "add_parts",
    title: "Add parts",
    description:
      "Adds parts from model files (STL, 3MF, OBJ, STEP, PLY, GLB, …) to a plate. All files are added, or none. They stand where their files place them: prepare arranges them.",
    fields: {
      plate: plateField,
      files: field(
        v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MAX_FILES)),
        "Paths below the folder of the server.",
      ),
      copies: field(
        v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_COPIES)), 1),
        "How many of each part.",
      ),
      repair: field(v.optional(v.boolean(), false), "Repairs open meshes, which are refused otherwise."),
      units: field(
        v.optional(v.picklist(["DETECTED", ...UNITS]), "DETECTED"),
        "DETECTED: what the file states, or mm.",
      ),
      separate: field(v.optional(v.boolean(), false), "Each part within a file becomes a part of its own."),
    },
    hints: {},
  },
  async ({ plate, files, copies, repair, units, separate }, call) => {
    const scene_id = call.sceneId(plate);
    const sources = files.map((file) => {
      if (extname(file).toLowerCase() === ".form")
        throw inputError(`"${file}" is a project: open_plate with file opens it as a plate of its own.`);
      return call.workspace.root.source(file);
    });
    call.expect(sources.length + (copies > 1 ? 2 : 1));
    const added: string[] = [];
    const warnings: string[] = [];
    try {
      for (const file of sources) {
        const { new_models, warnings: some = [] } = await call.request("scene/model/import", {
          scene_id,
          file,
          repair_behavior: repair ? "REPAIR" : "ERROR",
          split_multi_model_file: separate,
          units,
        });
        added.push(...(new_models as { model_id: string }[]).map(({ model_id }) => model_id));
        warnings.push(...some);
      }
      if (copies > 1) added.push(...(await copiesOf(call, scene_id, added, copies)));
    } catch (thrown) {
      if (added.length > 0) await call.undo("DELETE /v1/scene/model/delete/", { scene_id, model_ids: added });
      throw thrown;
    }
    const { parts, lines } = await listParts(call, plate, added);
    const total = call.scene(plate).models.length;
    const told = warningsInWords(warnings, call.workspace);
    return {
      lines: [
        `${added.length} ${added.length === 1 ? "part" : "parts"} added to ${plate}, which has ${total} now. Next: prepare.`,
        ...told.lines,
        ...lines,
      ],
      data: { plate, added_count: added.length, part_count: total, parts, ...told.data },
    };
  },
);

async function copiesOf(call: ToolCall, scene_id: string, model_ids: readonly string[], copies: number) {
  const { results } = await call.request("scene/model/duplicate", { scene_id, model_ids, count: copies - 1 });
  return (results as { new_model_ids: string[] }[]).flatMap(({ new_model_ids }) => new_model_ids);
}
