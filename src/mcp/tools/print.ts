import * as v from "valibot";
import { field } from "../../api/field.ts";
import { defineTool, plate as plateField } from "../tool.ts";
import { warningsInWords } from "../tool-words.ts";

/** Sends a plate to a printer. Only servers whose user allowed it have this tool. */
export const print = defineTool(
  {
    name: "print",
    title: "Print a plate",
    description:
      "Slices a plate and sends the job to a connected printer or queue (list_printers). With print_now the machine starts: a person must have checked that its platform is empty and its resin is right.",
    fields: {
      plate: plateField,
      printer: field(v.string(), "Id or address of a connected printer, or the id of a queue."),
      job_name: field(v.pipe(v.string(), v.minLength(1), v.maxLength(1000)), "Name of the job."),
      print_now: field(v.optional(v.boolean(), false), "Starts the print; otherwise the job waits at the printer."),
    },
    hints: { destructiveHint: true, openWorldHint: true },
  },
  async ({ plate, printer, job_name, print_now }, call) => {
    const body = { scene_id: call.sceneId(plate), printer, job_name, print_now };
    const { job_id, warnings = [] } = await call.request("scene/print", body);
    const told = warningsInWords(warnings, call.workspace);
    return {
      lines: [
        `The printer has the job, whose id is ${job_id}; ${print_now ? "it prints it now" : "it waits there for a person"}.`,
        ...told.lines,
      ],
      data: { plate, job_id, print_now, ...told.data },
    };
  },
);
