import { computed, effect, signal } from "@preact/signals";
import type { PagePreview, PreviewRequest } from "../../ui/replies.ts";
import { type ActionReply, remarksOf } from "../action/reply-summary.ts";
import { inPageWords } from "../action/page-words.ts";
import { ServerError, isCancellation, isServerGone, post, postSlowly } from "../server/call.ts";
import type { ProgressContext } from "../server/operation.ts";
import type { ShownModel, ShownTrial } from "../view/view.ts";
import { notify } from "./notices.ts";
import { details, fetchedScene, scene } from "./project.ts";
import { asOneStep, runChange } from "./scene-work.ts";
import { shownModel } from "./shown-scene.ts";
import { type Outcome, isFailure } from "./tasks.ts";

// One change at a time is tried out: the server computes it without making it, and the view shows it. Applying it makes it, as one undo step.

/** A change to try out. */
export interface Wish<Answer = ActionReply> {
  /** Name of the change in messages. */
  readonly title: string;
  readonly path: string;
  /** Makes the body of the request. */
  body(): Promise<object>;
  /** How its models are shown; as they are, in one tint, if absent. */
  arrange?(models: readonly ShownModel[], answer: Answer): readonly ShownModel[];
}

/** A change that is tried out. */
interface Trial {
  readonly wish: Wish;
  /** The scene and its version when it was asked for. */
  readonly sceneId: string;
  readonly version: number;
  readonly state: "COMPUTING" | "SHOWN" | "REFUSED" | "APPLYING";
  readonly reply?: PagePreview;
  /** Why it cannot be made, in words. */
  readonly refusal?: string;
}

/** The change that is tried out now. */
export const trial = signal<Trial | undefined>(undefined);

/** Its models, for the view. */
export const shownTrial = computed((): ShownTrial | undefined => {
  const { reply, wish } = trial.value ?? {};
  if (!reply || !wish) return undefined;
  const models = reply.scene.models.map(shownModel).map((model): ShownModel => ({ ...model, tint: "tried" }));
  return {
    models: wish.arrange?.(models, reply.answer as ActionReply) ?? models,
    hidden: reply.removed_model_ids,
  };
});

/** What the trial says to the person; undefined: nothing is tried out. */
export const trialWords = computed(
  ():
    | { readonly isComputing: boolean; readonly refusal?: string | undefined; readonly remarks: readonly string[] }
    | undefined => {
    if (!trial.value) return undefined;
    const { state, refusal, reply } = trial.value;
    const said = reply ? remarksOf(reply.answer as ActionReply) : [];
    const remarks = said.map((line) => asForecast(inPageWords(line, nameOf)));
    return { isComputing: state === "COMPUTING", refusal, remarks };
  },
);

/** The server says what a request has removed; of a trial nothing is removed yet. */
const asForecast = (remark: string): string => remark.replace(/ were (removed|dropped)\b/, " will be $1");

const nameOf = (id: string): string | undefined => details.peek().get(id)?.name;

/** A change is asked for once it has been the newest one for this time, so that a drag asks the server only where it rests. */
const REST_MS = 100;
/** The name by which the server knows the previews of this tab. */
const TAB = Math.random().toString(36).slice(2);

let running = new AbortController();
let timer: ReturnType<typeof setTimeout> | undefined;
let settled: Promise<void> = Promise.resolve();

/** Tries out a change, instead of the one before. */
export function tryOut<Answer>(wish: Wish<Answer>, restMs = REST_MS): void {
  if (trial.peek()?.state === "APPLYING") return;
  stop();
  const { id: sceneId, version } = fetchedScene();
  trial.value = { wish: wish as Wish, sceneId, version, state: "COMPUTING" };
  const { signal: ended } = running;
  settled = new Promise((resolve) => {
    ended.addEventListener("abort", () => resolve(), { once: true });
    timer = setTimeout(() => void ask(wish as Wish, ended).then(resolve), restMs);
  });
}

/** Shows the scene as it is. */
export function dropTrial(): void {
  if (trial.peek() === undefined || trial.peek()?.state === "APPLYING") return;
  stop();
  trial.value = undefined;
}

function stop(): void {
  clearTimeout(timer);
  running.abort();
  running = new AbortController();
}

async function ask(wish: Wish, ended: AbortSignal): Promise<void> {
  const change = (part: Partial<Trial>): void => {
    if (!ended.aborted && trial.value) trial.value = { ...trial.value, ...part };
  };
  try {
    const request: PreviewRequest = { path: wish.path, body: await wish.body(), tab: TAB };
    if (ended.aborted) return;
    const reply = await postSlowly<PagePreview>("/ui/preview/", request, ended);
    change({ state: "SHOWN", reply });
  } catch (thrown) {
    if (isCancellation(thrown) || isServerGone(thrown)) return;
    if (!isFailure(thrown)) throw thrown;
    change({ state: "REFUSED", refusal: inPageWords(thrown.message, nameOf) });
  }
}

/**
 * Makes the change that is tried out, also if it is still computed. Undefined if it was not made: it cannot be made, or the scene has
 * changed, so that it is tried out anew. The person is told. `after` makes further changes, which belong to the same undo step.
 */
export async function applyTrial(
  after?: (answer: ActionReply, context: ProgressContext) => Promise<unknown>,
): Promise<Outcome<ActionReply>> {
  const wanted = trial.peek();
  if (!wanted || wanted.state === "APPLYING") return undefined;
  await settled;
  const present = trial.peek();
  if (!present?.reply || present.wish !== wanted.wish) return undefined;
  const { token } = present.reply;
  const answer = present.reply.answer as ActionReply;
  trial.value = { ...present, state: "APPLYING" };
  const make = async (context: ProgressContext): Promise<ActionReply | undefined> => {
    if (!(await applyToken(token))) return undefined;
    await after?.(answer, context);
    return answer;
  };
  const outcome = await runChange(wanted.wish.title, (context) =>
    after ? asOneStep(present.sceneId, () => make(context)) : make(context),
  );
  trial.value = undefined;
  if (!outcome) return undefined;
  const { result } = outcome;
  if (result) return { ...outcome, result };
  tryOut(wanted.wish);
  notify({
    severity: "info",
    text: "The scene has changed meanwhile: this is how the change looks now. Apply it again.",
  });
  return undefined;
}

/** Returns false if the scene has changed since the preview, or the server has dropped it. */
async function applyToken(token: string): Promise<boolean> {
  try {
    await post(`/ui/preview/${token}/apply/`);
    return true;
  } catch (thrown) {
    if (thrown instanceof ServerError && ["STALE_STATE", "NOT_FOUND"].includes(thrown.code)) return false;
    throw thrown;
  }
}

/** Tries a change out anew when the scene changes, and drops it when another scene is shown. */
effect(() => {
  const { id, version } = scene.value ?? {};
  const present = trial.peek();
  if (!present || present.state === "APPLYING") return;
  if (present.sceneId !== id) dropTrial();
  else if (present.version !== version) tryOut(present.wish);
});
