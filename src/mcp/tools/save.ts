import * as v from "valibot";
import { field } from "../../api/field.ts";
import { inputError } from "../../core/api-error.ts";
import { outputSteps } from "../../command/outputs.ts";
import { defineTool, plate as plateField } from "../tool.ts";
import { warningsInWords } from "../tool-words.ts";

/** Most files of a call. */
const MAX_FILES = 10;

/** Writes a plate to files. */
export const save = defineTool(
  {
    name: "save",
    title: "Save a plate",
    description:
      "Writes a plate to files; the extension says what: the job in the printer's format (such as .sl1s, .goo: list_printers has it), .form the project, .stl .3mf .obj .glb the parts with supports, .png a picture.",
    fields: {
      plate: plateField,
      files: field(
        v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MAX_FILES)),
        "Paths below the folder of the server.",
      ),
      replace: field(v.optional(v.boolean(), false), "Replaces files that exist."),
    },
    hints: { destructiveHint: true },
  },
  async ({ plate, files, replace }, call) => {
    const { root } = call.workspace;
    const targets = files.map((file) => root.target(file));
    const taken = targets.filter((file) => root.has(file)).map((file) => root.nameOf(file));
    if (taken.length > 0 && !replace)
      throw inputError(`There is ${taken.join(", ")} already: choose other names, or set replace to true.`);
    const scene = call.scene(plate);
    if (scene.models.length === 0) throw inputError(`${plate} has no parts to save: add_parts adds some.`);
    const sources = scene.models.map(({ originalFile }) => originalFile);
    const steps = outputSteps(targets, sources, scene.id, scene.setting.printerType, {});
    call.expect(steps.length);
    const warnings: string[] = [];
    for (const { request, body } of steps) {
      const reply = await call.request(request, body ?? {});
      warnings.push(...((reply?.warnings ?? []) as string[]));
    }
    const names = targets.map((file) => root.nameOf(file));
    const told = warningsInWords(warnings, call.workspace);
    return {
      lines: [`Written: ${names.join(", ")}`, ...told.lines],
      data: { plate, files: names, ...told.data },
    };
  },
);
