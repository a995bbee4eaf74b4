import { fieldsOf } from "../action/form-field.ts";
import { bodyOf } from "../action/form-values.ts";
import { type ActionReply, createdModelIds, remarksOf } from "../action/reply-summary.ts";
import { post, upload } from "../server/call.ts";
import { endpointForm } from "../server/endpoints.ts";
import type { ProgressContext } from "../server/operation.ts";
import { inPageWords } from "../action/page-words.ts";
import { counted } from "../../core/quantities.ts";
import { closeJob, openJobFile } from "./job-file.ts";
import { recordImported, selectCreated } from "./target-models.ts";
import { notify } from "./notices.ts";
import { pageState, refresh, scene, selection, showScene } from "./project.ts";
import { formValues } from "./run-action.ts";
import { runInOrder } from "./scene-work.ts";
import { callEndpoint, isFailure, runTask, contextOfStep } from "./tasks.ts";

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
const knownExtensions = (): readonly string[] => [...IMPORT_EXTENSIONS, ".form", ".fps", ...jobExtensions()];

const endsWithOne = ({ name }: File, endings: readonly string[]): boolean =>
  endings.some((ending) => name.toLowerCase().endsWith(ending));
const isKnown = (file: File): boolean => endsWithOne(file, knownExtensions());
const isJob = (file: File): boolean => endsWithOne(file, jobExtensions());
const isGltf = ({ name }: File): boolean => /\.gltf$/i.test(name);

interface Failure {
  readonly file: File;
  readonly message: string;
  readonly code: string;
}

/** Whether the server refused a mesh with defects: its message then offers both REPAIR and IGNORE. */
const isDefect = ({ message }: Failure): boolean => /\bREPAIR\b/.test(message) && /\bIGNORE\b/.test(message);

/**
 * Handles files that were dropped or chosen, one after the other: opens projects, applies print settings, imports models. The first job
 * file is shown, beside the others.
 */
export async function takeFiles(
  files: readonly File[],
  options: { readonly repair_behavior?: string } = {},
): Promise<void> {
  if (files.length === 0) return;
  if (!scene.value) await refresh();
  const target = scene.value;
  if (!target) return;
  const companions = files.some(isGltf) ? files.filter((file) => !isKnown(file)) : [];
  const jobs = files.filter(isJob);
  void openFirst(jobs);
  const own = files.filter((file) => !companions.includes(file) && !jobs.includes(file));
  if (own.length === 0) return;
  closeJob();
  const before = selection.value;
  const made: string[] = [];
  const remarks: string[] = [];
  const failures: Failure[] = [];
  await runTask("Import", async (context) => {
    for (const [i, file] of own.entries()) {
      context.title(own.length === 1 ? `Import ${file.name}` : `Import ${file.name} (${i + 1} of ${own.length})`);
      try {
        const path = await uploadWith(file, companions);
        const reply = await takeFile(file.name, path, target.id, options, contextOfStep(context, i, own.length));
        made.push(...createdModelIds(reply));
        const subject = own.length === 1 ? "" : `${file.name}: `;
        remarks.push(...remarksOf(reply).map((remark) => `${subject}${remark}`));
      } catch (thrown) {
        if (!isFailure(thrown)) throw thrown;
        failures.push({ file, message: thrown.message, code: thrown.code });
      }
    }
  });
  await refresh();
  selectCreated(made, before);
  if (made.length > 0) notifyImported(made.length, options.repair_behavior === "REPAIR", remarks);
  askAboutDefects(failures.filter(isDefect), companions);
  reportFailures(failures.filter((failure) => !isDefect(failure)));
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

/** Reports an import. Remarks (such as remaining defects) are a warning, which stays until it is dismissed. */
function notifyImported(count: number, isRepaired: boolean, remarks: readonly string[]): void {
  const parts = counted(count, "part");
  if (remarks.length > 0) notify({ severity: "warning", text: `${parts} imported, with remarks:`, details: remarks });
  else notify({ severity: "success", text: `${parts} ${isRepaired ? "repaired and " : ""}imported.` });
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

/** Handles an uploaded file. Returns the reply of an import, {} for other files. */
async function takeFile(
  name: string,
  path: string,
  sceneId: string,
  options: object,
  context: ProgressContext,
): Promise<ActionReply> {
  if (/\.form$/i.test(name)) {
    const { scenes } = await callEndpoint<{ scenes: { scene_id: string }[] }>(OPEN, { file: path }, context);
    const [first] = scenes;
    if (first) showScene(first.scene_id);
    notify({ severity: "success", text: `${name}: ${counted(scenes.length, "scene")} opened.` });
    return {};
  }
  // Waits for other changes: between the requests of a change, the import would become a part of that undo step.
  return runInOrder(sceneId, context.signal, async () => {
    if (/\.fps$/i.test(name)) {
      await post("/v1/scene/update/", { scene_id: sceneId, fps_file: path });
      notify({ severity: "success", text: `${name}: the print setting was applied.` });
      return {};
    }
    const chosen = bodyOf(IMPORT_FIELDS, formValues.value[IMPORT] ?? {});
    const body = { ...chosen, ...options, scene_id: sceneId, file: path };
    const reply = await callEndpoint<ActionReply>(IMPORT, body, context);
    recordImported(createdModelIds(reply));
    return reply;
  });
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
