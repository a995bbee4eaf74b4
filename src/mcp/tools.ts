import type { Tool } from "./tool.ts";
import { addParts } from "./tools/add-parts.ts";
import { check } from "./tools/check.ts";
import { closePlate } from "./tools/close-plate.ts";
import { editParts } from "./tools/edit-parts.ts";
import { estimate } from "./tools/estimate.ts";
import { jobStatus } from "./tools/job-status.ts";
import { listPrinters } from "./tools/list-printers.ts";
import { openPlate } from "./tools/open-plate.ts";
import { picture } from "./tools/picture.ts";
import { prepare } from "./tools/prepare.ts";
import { print } from "./tools/print.ts";
import { save } from "./tools/save.ts";
import { submitJob } from "./tools/submit-job.ts";

/** The tools in the order of their use. */
export const TOOLS: readonly Tool[] = [
  listPrinters,
  openPlate,
  addParts,
  prepare,
  editParts,
  check,
  picture,
  estimate,
  save,
  closePlate,
];

/** Tools that start machines: only where the user allowed it. */
export const PRINTING_TOOLS: readonly Tool[] = [print];

/** Tools for the queue of workers: only where the user named it. */
export const FARM_TOOLS: readonly Tool[] = [submitJob, jobStatus];
