import type { PageScene } from "../../ui/replies.ts";
import { fieldsOf } from "../action/form-field.ts";
import { bodyOf } from "../action/form-values.ts";
import { type ActionReply, createdModelIds, remarksOf } from "../action/reply-summary.ts";
import { post, upload } from "../server/call.ts";
import { endpointForm } from "../server/endpoints.ts";
import type { ProgressContext } from "../server/operation.ts";
import { inPageWords } from "../action/page-words.ts";
import { counted } from "../../core/quantities.ts";
import { closeJob, openJobFile } from "./job-file.ts";
import { openPlanFile } from "./plan.ts";
import { recordImported, selectCreated } from "./target-models.ts";
import { type NoticeAction, notify } from "./notices.ts";
import { type Placing, keepFilePlaces, keepsFilePlaces, placeAdded, rememberFilePlaces } from "./place-added.ts";
import { pageState, refresh, scene, selection, showScene } from "./project.ts";
import { formValues } from "./run-action.ts";
import { frameChanged } from "./view-state.ts";
import { asOneStep, runChange, runInOrder } from "./scene-work.ts";
import { type TaskContext, callEndpoint, isFailure, runTask, contextOfStep } from "./tasks.ts";

const IMPORT = "/v1/scene/model/import/";
const OPEN = "/v1/scene/open/";

/** Fields of the import form. */
export const IMPORT_FIELDS = fieldsOf(endpointForm(IMPORT).body, ["scene_id", "file"]);

/** Extensions that file pickers offer, taken from the description in the interface. */
export const IMPORT_EXTENSIONS = [
  ...new Set((endpointForm(IMPORT).body?.properties?.file?.description ?? "").match(/\.[a-z0-9]{2,7}\b/g) ?? []),
];

const jobExtensions = (): readonly string[] => pageState.value?.job_extensions ?? [];

/** Extensions of files that can be imported, opened or applied. Other files are only companions of these. */
const knownExtensions = (): readonly string[] => [...IMPORT_EXTENSIONS, ".form", ".fps", ".json", ...jobExtensions()];

const endsWithOne = ({ name }: File, endings: readonly string[]): boolean =>
  endings.some((ending) => name.toLowerCase().endsWith(ending));
const isKnown = (file: File): boolean => endsWithOne(file, knownExtensions());
const isJob = (file: File): boolean => endsWithOne(file, jobExtensions());
const isProject = ({ name }: File): boolean => /\.form$/i.test(name);
const isSetting = ({ name }: File): boolean => /\.fps$/i.test(name);
const isPlan = ({ name }: File): boolean => /\.json$/i.test(name);
const isGltf = ({ name }: File): boolean => /\.gltf$/i.test(name);

interface Failure {
  readonly file: File;
  readonly message: string;
  readonly code: string;
}

/** Whether the server refused a mesh with defects: its message then offers both REPAIR and IGNORE. */
const isDefect = ({ message }: Failure): boolean => /\bREPAIR\b/.test(message) && /\bIGNORE\b/.test(message);

/** What came of the files of one drop. */
interface Imported {
  readonly ids: readonly string[];
  readonly remarks: readonly string[];
  readonly failures: readonly Failure[];
  readonly placing: Placing | undefined;
}

interface ImportOptions {
  readonly repair_behavior?: string;
}

/**
 * Handles files that were dropped or chosen, one after the other: opens projects, applies print settings, imports parts and gives them
 * free places, all of them in one undo step. The first job file is shown, beside the others, and the first plan.
 */
export async function takeFiles(files: readonly File[], options: ImportOptions = {}): Promise<void> {
  if (files.length === 0) return;
  if (!scene.value) await refresh();
  const target = scene.value;
  if (!target) return;
  const companions = files.some(isGltf) ? files.filter((file) => !isKnown(file)) : [];
  const jobs = files.filter(isJob);
  void openFirst(jobs);
  const plan = files.find(isPlan);
  if (plan) void openPlanFile(plan);
  const own = files.filter((file) => !companions.includes(file) && !jobs.includes(file) && !isPlan(file));
  if (own.length === 0) return;
  closeJob();
  const before = selection.value;
  const parts = own.filter((file) => !isProject(file) && !isSetting(file));
  const outcome = await runTask("Import", async (context) => {
    const failures: Failure[] = [];
    for (const file of own.filter((one) => !parts.includes(one))) {
      context.title(`Open ${file.name}`);
      await noting(failures, file, async () => takeOther(file, target.id, context));
    }
    return importParts(parts, companions, { target, options, context, failures });
  });
  await refresh();
  if (!outcome) return;
  const { ids, failures } = outcome.result;
  selectCreated(ids, before);
  if (ids.length > 0) frameChanged(target.id, ids);
  if (ids.length > 0)
    notifyImported(outcome.result, target, {
      isRepaired: options.repair_behavior === "REPAIR",
      fileCount: parts.length,
    });
  askAboutDefects(failures.filter(isDefect), companions);
  reportFailures(failures.filter((failure) => !isDefect(failure)));
}

/** Runs work on a file. Adds to `failures` why it failed; a cancel and a lost server end the task. */
async function noting<Result>(
  failures: Failure[],
  file: File,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (thrown) {
    if (!isFailure(thrown)) throw thrown;
    failures.push({ file, message: thrown.message, code: thrown.code });
    return undefined;
  }
}

interface ImportContext {
  readonly target: PageScene;
  readonly options: ImportOptions;
  readonly context: TaskContext;
  readonly failures: Failure[];
}

/** Imports files as parts and places them. Waits for earlier changes: between their requests, it would become a part of their undo step. */
async function importParts(
  files: readonly File[],
  companions: readonly File[],
  { target, options, context, failures }: ImportContext,
): Promise<Imported> {
  const ids: string[] = [];
  const remarks: string[] = [];
  const importEach = async (): Promise<Placing | undefined> => {
    for (const [i, file] of files.entries()) {
      context.title(files.length === 1 ? `Import ${file.name}` : `Import ${file.name} (${i + 1} of ${files.length})`);
      const step = contextOfStep(context, i, files.length);
      const reply = await noting(failures, file, async () => importPart(file, companions, target.id, options, step));
      ids.push(...createdModelIds(reply ?? {}));
      const subject = files.length === 1 ? "" : `${file.name}: `;
      remarks.push(...remarksOf(reply ?? {}).map((remark) => `${subject}${remark}`));
    }
    if (ids.length === 0 || keepsFilePlaces()) return undefined;
    context.title("Place side by side");
    return placeAdded(target, ids, context);
  };
  const placing =
    files.length === 0
      ? undefined
      : await runInOrder(target.id, context.signal, () => asOneStep(target.id, importEach));
  return { ids, remarks, failures, placing };
}

async function importPart(
  file: File,
  companions: readonly File[],
  scene_id: string,
  options: ImportOptions,
  context: ProgressContext,
): Promise<ActionReply> {
  const path = await uploadWith(file, companions);
  const chosen = bodyOf(IMPORT_FIELDS, formValues.value[IMPORT] ?? {});
  const reply = await callEndpoint<ActionReply>(IMPORT, { ...chosen, ...options, scene_id, file: path }, context);
  recordImported(createdModelIds(reply));
  return reply;
}

/** Opens a project, or applies a print setting. */
async function takeOther(file: File, sceneId: string, context: ProgressContext): Promise<void> {
  const { file: path } = await upload(file);
  if (isProject(file)) {
    const { scenes } = await callEndpoint<{ scenes: { scene_id: string }[] }>(OPEN, { file: path }, context);
    const [first] = scenes;
    if (first) showScene(first.scene_id);
    // The notice belongs to the scene that is shown now.
    notify({
      severity: "success",
      text: `${file.name}: ${counted(scenes.length, "scene")} opened.`,
      sceneId: first?.scene_id,
    });
    return;
  }
  await runInOrder(sceneId, context.signal, () => post("/v1/scene/update/", { scene_id: sceneId, fps_file: path }));
  notify({ severity: "success", text: `${file.name}: the print setting was applied.` });
}

/** Reports files that could not be imported: one notice for all of one reason. */
function reportFailures(failures: readonly Failure[]): void {
  const reasonOf = ({ file, message }: Failure): string => inPageWords(message.replaceAll(file.name, "the file"));
  for (const [first, ...others] of Map.groupBy(failures, reasonOf).values()) {
    if (!first) continue;
    const { file, message, code } = first;
    const names = [first, ...others].map((failure) => failure.file.name);
    const text =
      others.length === 0
        ? `${file.name}: ${message}`
        : `${counted(names.length, "file")} could not be imported. ${message}`;
    notify({ severity: "error", text, details: others.length === 0 ? [] : names, code });
  }
}

async function openFirst([first, ...others]: readonly File[]): Promise<void> {
  if (!first) return;
  if (others.length > 0) notify({ severity: "info", text: `One job is shown at a time: ${first.name}.` });
  await openJobFile(first);
}

/** Reports an import and where the parts are. Remarks (such as remaining defects) are a warning, which stays until it is dismissed. */
function notifyImported(
  { ids, remarks, placing }: Imported,
  target: PageScene,
  { isRepaired, fileCount }: { readonly isRepaired: boolean; readonly fileCount: number },
): void {
  const done = `${counted(ids.length, "part")} ${isRepaired ? "repaired and " : ""}imported`;
  const besideCount = placing?.besideCount ?? 0;
  const where = placing ? (ids.length === 1 ? ", at a free place" : ", placed side by side") : "";
  const beside = besideCount === 0 ? "" : ` There is no room for ${besideCount} of them.`;
  notify({
    severity: remarks.length > 0 || besideCount > 0 ? "warning" : "success",
    text: `${done}${where}${remarks.length > 0 && beside === "" ? ", with remarks:" : `.${beside}`}`,
    details: remarks,
    actions: placingActions(target, ids, placing, fileCount),
    sceneId: target.id,
  });
}

/** The other choice of where imported parts are, which is remembered. A file of several parts may be an assembly. */
function placingActions(
  target: PageScene,
  ids: readonly string[],
  placing: Placing | undefined,
  fileCount: number,
): readonly NoticeAction[] {
  if (placing) {
    const label = fileCount === 1 && ids.length > 1 ? "Keep together" : "Keep file positions";
    return [{ label, run: () => void keepFilePlaces(target.id, placing.places) }];
  }
  if (!keepsFilePlaces()) return [];
  return [{ label: "Place side by side", run: () => void placeAgain(target, ids) }];
}

async function placeAgain(target: PageScene, ids: readonly string[]): Promise<void> {
  rememberFilePlaces(false);
  await runChange("Place side by side", (context) => asOneStep(target.id, () => placeAdded(target, ids, context)));
}

/** Asks how to import the files with defects: one question for all of them. */
function askAboutDefects(failures: readonly Failure[], companions: readonly File[]): void {
  const [first, ...others] = failures;
  if (!first) return;
  const files = failures.map(({ file }) => file);
  const again = (repair_behavior: string) => () => void takeFiles([...files, ...companions], { repair_behavior });
  notify({
    severity: "warning",
    text: others.length === 0 ? `${first.file.name} has defects.` : `${files.length} files have defects.`,
    details: failures.map(({ file, message }) => `${file.name}: ${message.split(". ")[0]}.`),
    actions: [
      { label: "Repair and import", run: again("REPAIR") },
      { label: "Import as it is", run: again("IGNORE") },
    ],
  });
}

/** Uploads a file and the companions that it may refer to: the buffers of a .gltf file. */
async function uploadWith(file: File, companions: readonly File[]): Promise<string> {
  const { file: path, token } = await upload(file);
  if (isGltf(file)) for (const companion of companions) await upload(companion, token);
  return path;
}

/** Opens the file picker and passes the chosen file to `take`. */
export const chooseFile = (accept: readonly string[], take: (file: File) => void): void =>
  openFilePicker(accept, ([file]) => file && take(file), false);

function openFilePicker(accept: readonly string[], take: (files: readonly File[]) => void, multiple: boolean): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = multiple;
  input.accept = accept.join(",");
  input.onchange = () => take([...(input.files ?? [])]);
  input.click();
}

export const chooseModels = (): void => openFilePicker(knownExtensions(), (files) => void takeFiles(files), true);
