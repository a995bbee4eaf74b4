import * as v from "valibot";
import { field } from "../../api/field.ts";
import { ApiError, excerpt, inputError, notFound } from "../../core/api-error.ts";
import { ACTION_WORDS, type EditAction, editAction, requestOf } from "../edit-actions.ts";
import { summarisePlate } from "../plate-summary.ts";
import { defineTool, plate as plateField } from "../tool.ts";
import { warningsInWords } from "../tool-words.ts";
import type { ToolCall } from "../workspace.ts";

/** Most actions of a call. */
const MAX_ACTIONS = 50;

/** Changes parts of a plate by a list of actions. */
export const editParts = defineTool(
  {
    name: "edit_parts",
    title: "Edit parts",
    description: `Changes parts by a list of actions, one after the other, each for the parts in its \`parts\`, or for all: ${ACTION_WORDS}. Points are x, y, z in mm in the scene: 0, 0, 0 is the middle of the platform, x to the right, y away from you, z up. Changes of shape, tilt or size remove supports: prepare again.`,
    fields: {
      plate: plateField,
      actions: field(
        v.pipe(v.array(editAction), v.minLength(1), v.maxLength(MAX_ACTIONS)),
        "What to do, in this order.",
      ),
    },
    hints: { destructiveHint: true },
  },
  async ({ plate, actions }, call) => {
    const scene_id = call.sceneId(plate);
    // Before the first action, so that wrong input changes nothing.
    for (const [i, action] of actions.entries())
      if (action.do !== "fix") within(i, actions, () => checked(action, plate, call));
    call.expect(actions.length + 2);
    const notes: string[] = [];
    for (const [i, action] of actions.entries()) {
      const reply = await withinAsync(i, actions, () => carryOut(action, { plate, scene_id, call }));
      notes.push(...reply);
    }
    const { lines, data } = await summarisePlate(call, plate);
    const told = warningsInWords(notes, call.workspace, "note");
    return {
      lines: [
        `${actions.length === 1 ? "The action is" : `All ${actions.length} actions are`} done.`,
        ...told.lines,
        ...lines,
      ],
      data: { ...data, ...told.data },
    };
  },
);

/** Throws for an action that names unknown parts, or whose directions are wrong. */
function checked(action: Exclude<EditAction, { do: "fix" }>, plate: string, call: ToolCall): void {
  requestOf(action);
  const ids = call.modelIds(plate, action.parts);
  if (action.do === "label") labelled(ids, plate, call);
}

/** The part that a label is for: the only one, where none is named. */
function labelled(ids: readonly string[] | undefined, plate: string, call: ToolCall): string {
  const [id, ...others] = ids ?? call.scene(plate).models.map((model) => model.id);
  if (id !== undefined && others.length === 0) return id;
  throw inputError("A label is for one part: name it in parts.");
}

interface Place {
  readonly plate: string;
  readonly scene_id: string;
  readonly call: ToolCall;
}

/** Carries out an action, and returns its warnings and other notes. */
async function carryOut(action: EditAction, { plate, scene_id, call }: Place): Promise<string[]> {
  if (action.do === "fix") return applyFix(action.finding, action.fix, { plate, scene_id, call });
  const { request, body } = requestOf(action);
  const ids = call.modelIds(plate, action.parts);
  const models = action.do === "label" ? { model_id: labelled(ids, plate, call) } : { model_ids: ids };
  return notesOf(await call.request(request, { scene_id, ...models, ...body }));
}

/** The parts of replies that a person would be told. */
interface Told {
  readonly warnings?: readonly string[];
  readonly infos?: readonly string[];
  /** Of scene/model/auto-drain. */
  readonly holes?: readonly object[];
  readonly proof?: { readonly cup_count: number; readonly pool_count: number };
}

const notesOf = ({ warnings = [], infos = [], holes, proof }: Told = {}): string[] => [
  ...(holes && proof
    ? [`${holes.length} holes drilled; ${proof.cup_count} cups and ${proof.pool_count} pools of resin are left`]
    : []),
  ...warnings,
  ...infos,
];

/** Carries out the requests of a fix of a finding, as scene/check and scene/check/try-fixes offer them. */
async function applyFix(id: string, number: number, { plate, scene_id, call }: Place): Promise<string[]> {
  const known = call.workspace.runner.server.keptFindings.of(call.scene(plate))?.findings ?? [];
  const finding = known.find((one) => one.id === id && !one.isOld);
  if (!finding) throw notFound(`No check of ${plate} in its present state has found "${excerpt(id)}": check it again.`);
  const { fixes } =
    number < finding.fixes.length
      ? finding
      : await call
          .request("scene/check/try-fixes", { scene_id, finding_id: id })
          .then(({ fixes: tried }) => ({ fixes: [...finding.fixes, ...tried] }));
  const fix = fixes[number];
  if (!fix)
    throw notFound(
      `The finding has ${fixes.length} fixes, numbered from 0, and no fix ${number}: change the parts by other actions.`,
    );
  const notes: string[] = [fix.title];
  for (const { path, method = "POST", body } of fix.requests)
    notes.push(...notesOf(await call.request(`${method} ${path}`, body)));
  return notes;
}

/** Names the action in an error. */
function within(i: number, actions: readonly EditAction[], work: () => void): void {
  try {
    work();
  } catch (thrown) {
    throw thrown instanceof ApiError ? inAction(thrown, i, actions, "nothing was changed") : thrown;
  }
}

async function withinAsync<T>(i: number, actions: readonly EditAction[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const before = i === 0 ? "nothing was changed" : `the ${i} before it took effect, those after it did not`;
    throw thrown instanceof ApiError ? inAction(thrown, i, actions, before) : thrown;
  }
}

const inAction = ({ code, message }: ApiError, i: number, actions: readonly EditAction[], effect: string): ApiError =>
  new ApiError(code, `Action ${i + 1} of ${actions.length}, ${actions[i]?.do} (${effect}): ${message}`);
