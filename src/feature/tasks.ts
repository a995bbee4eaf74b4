import type { Task } from "../worker/task.ts";
import * as bodiesTasks from "./bodies/task.ts";
import * as cageTasks from "./cage/task.ts";
import * as calibrateTasks from "./calibrate/task.ts";
import * as checkTasks from "./check/task.ts";
import * as cutTasks from "./cut/task.ts";
import * as dentalTasks from "./dental/task.ts";
import * as drainTasks from "./drain/task.ts";
import * as drillTasks from "./drill/task.ts";
import * as exportTasks from "./export/task.ts";
import * as hollowTasks from "./hollow/task.ts";
import * as importTasks from "./import/task.ts";
import * as jobFilesTasks from "./job-files/task.ts";
import * as labelTasks from "./label/task.ts";
import * as layoutTasks from "./layout/task.ts";
import * as orientTasks from "./orient/task.ts";
import * as packTasks from "./pack/task.ts";
import * as placementTasks from "./placement/task.ts";
import * as planTasks from "./plan/task.ts";
import * as printTasks from "./print/task.ts";
import * as printSettingsTasks from "./print-settings/task.ts";
import * as projectsTasks from "./projects/task.ts";
import * as renderTasks from "./render/task.ts";
import * as repairTasks from "./repair/task.ts";
import * as sliceTasks from "./slice/task.ts";
import * as stretchTasks from "./stretch/task.ts";
import * as supportPreviewTasks from "./support-preview/task.ts";
import * as supportTasks from "./support/task.ts";
import * as supportPlanTasks from "./support-plan/task.ts";
import * as ventTasks from "./vent/task.ts";

/** The tasks of all features. */
const TASKS: readonly Task<never, unknown>[] = [
  importTasks,
  exportTasks,
  projectsTasks,
  planTasks,
  printTasks,
  printSettingsTasks,
  placementTasks,
  stretchTasks,
  repairTasks,
  bodiesTasks,
  orientTasks,
  supportTasks,
  supportPreviewTasks,
  supportPlanTasks,
  cutTasks,
  dentalTasks,
  labelTasks,
  drillTasks,
  ventTasks,
  drainTasks,
  hollowTasks,
  calibrateTasks,
  checkTasks,
  layoutTasks,
  cageTasks,
  packTasks,
  sliceTasks,
  renderTasks,
  jobFilesTasks,
].flatMap((tasks) => Object.values(tasks).filter((task) => typeof task === "object"));

const byName = new Map(TASKS.map((task) => [task.name, task]));

/** The task that another thread names. */
export const taskNamed = (name: string): Task<never, unknown> => byName.get(name)!;
