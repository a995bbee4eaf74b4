import type * as v from "valibot";
import type { FindingPlace } from "../check/finding-place.ts";
import type { ErrorCode } from "../core/api-error.ts";
import type { TaskState } from "../core/progress.ts";
import type { Converters } from "../convert/converters.ts";
import type { JobConverters } from "../convert/job-converters.ts";
import type { Session } from "../printer/account/session.ts";
import type { Farm } from "../farm/farm.ts";
import type { Printers } from "../printer/printers.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { replaceScene } from "../scene/edit.ts";
import { findScene } from "../scene/find.ts";
import type { KeptFindings } from "../scene/findings.ts";
import type { Project, Scene, Store } from "../scene/project.ts";
import type { Compute } from "../worker/compute.ts";
import type { Pool } from "../worker/pool.ts";
import type { Owner } from "../worker/scheduling.ts";
import type { SharedItem, SharedResults, SharedWork } from "../worker/shared-results.ts";
import { lostSupportsWarnings } from "./lost-supports.ts";
import type { OperationRecords } from "./operation-records.ts";

/** The parts of the running server that requests work with. */
export interface Server {
  readonly version: string;
  readonly maxScenes: number;
  readonly store: Store;
  readonly pool: Pool;
  readonly sharedResults: SharedResults;
  readonly operations: OperationRecords;
  readonly converters: Converters;
  /** See `ctbNotice` of `JobFacts`. */
  readonly ctbNotice?: Uint8Array | undefined;
  readonly jobConverters: JobConverters;
  readonly printers: Printers;
  readonly session: Session;
  readonly keptFindings: KeptFindings;
  readonly farm: Farm;
  /** When the files that requests make were made, as they state it; the present time if absent. */
  readonly created?: Date | undefined;
}

/** Runs kernels for the request of `state`; `owner` as in {@link Pool}. */
export const computeOn = (pool: Pool, state: TaskState, owner: Owner = state): Compute => ({
  compute: (task, input) => pool.compute(task, input, state, owner),
  tasksAtOnce: (task, workMs, running) => pool.tasksAtOnce(task, workMs, owner, running),
  held: pool.held,
});

/** Work for which nobody waits. */
export interface BackgroundWork {
  readonly context: RequestContext;
  /** Ends its tasks, and lets no other begin. */
  cancel(): void;
}

/** Services for an endpoint in addition to its input: kernels on worker threads, printers, and the cancelling of the request. */
export interface RequestContext extends Compute {
  readonly maxScenes: number;
  readonly printers: Printers;
  readonly converters: Converters;
  /** See `ctbNotice` of `JobFacts`. */
  readonly ctbNotice: Uint8Array | undefined;
  readonly jobConverters: JobConverters;
  /** When the files that the request makes were made, as they state it. */
  readonly created: Date;
  /** The findings of the last checks of each scene. */
  readonly keptFindings: KeptFindings;
  /** The results of work on each item, which requests share: see {@link SharedResults}. */
  computeShared<Input, Output>(work: SharedWork<Input, Output>, items: readonly SharedItem<Input>[]): Promise<Output[]>;
  /** Aborted once the request is cancelled. */
  readonly signal: AbortSignal;
  /** Throws `CancelledError` once the request is cancelled. */
  throwIfCancelled(): void;
  /** From now on, progress of kernels and of `report` counts from share `from` to share `to` of the request. */
  enterPhase(from: number, to: number): void;
  /**
   * Shows the part of the request that runs from now on to those who wait: that of `titles` at `index` (0-based). `titles` are all parts of
   * the request in their order. Throws `CancelledError` once the request is cancelled.
   */
  enterStage(titles: readonly string[], index: number): void;
  /** Reports the share of the phase that is done. Throws `CancelledError` once the request is cancelled. */
  report(share: number): void;
  /** Computes data for descriptions of scenes before a change commits, so that requests for descriptions do not wait. */
  settle(scenes: readonly Scene[]): Promise<void>;
  /** Called before a change of the project or a file. Throws `CancelledError` as above; after it, nothing cancels the request. */
  commit(): void;
  /** Work that goes on after the answer, as long as the scenes of the request exist. Its tasks take no turns from those of requests of the scene. */
  inBackground(): BackgroundWork;
}

type Schema = v.GenericSchema;
type Out<S> = S extends Schema ? v.InferOutput<S> : undefined;
type Answer<S> = S extends Schema ? v.InferInput<S> : void;

/** The declaration of an endpoint: all information for clients and for the OpenAPI document. */
interface Declaration<
  Body extends Schema | undefined,
  Query extends Schema | undefined,
  Reply extends Schema | undefined,
> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Canonical path, with its trailing slash. */
  readonly path: string;
  readonly summary: string;
  /** Schema of the body. Without it, the body of a request is ignored. */
  readonly body?: Body;
  /** Whether the body has secrets: error messages must not repeat its values. */
  readonly holdsSecrets?: boolean;
  /** Whether an empty body counts as `{}`. */
  readonly bodyOptional?: boolean;
  /** Schema of the strings of the query. A missing required entry is MISSING_QUERY_PARAMETER, an invalid one INVALID_QUERY_PARAMETER. */
  readonly query?: Query;
  /** Schema of the reply. Without it, success has no body. */
  readonly reply?: Reply;
  /** Whether `?async=true` is accepted. */
  readonly async?: boolean;
  /** Codes of errors in addition to the codes that follow from the rest of the declaration (`error-codes.ts`). */
  readonly errors?: readonly ErrorCode[];
  /** Whether the endpoint reads no vertices and triangles: swapped-out scenes stay so. */
  readonly needsNoMeshes?: boolean;
  /** Whether a request cancels the running and waiting requests of its scenes. */
  readonly cancelsOthers?: boolean;
  /**
   * Checks of the request alone that the schema cannot express, such as file extensions. `convertedExtensions`: extensions of the
   * model files that this server converts.
   */
  readonly check?: (body: Out<Body>, convertedExtensions: readonly string[]) => void;
  /**
   * For a check whose reply has no places: the places of its findings, for the page. `found` has the ids of the model or models of
   * each finding; a check of whole scenes may return places of other models as well.
   */
  readonly places?: (
    scene: Scene,
    body: Out<Body>,
    found: readonly (readonly string[])[],
    context: RequestContext,
  ) => Promise<readonly FoundPlace[]>;
}

/** The place of a finding in a scene. */
export interface FoundPlace {
  /** Id of the model of the finding, or ids of the two models that interfere. */
  readonly modelIds: readonly string[];
  readonly place: FindingPlace;
  /** Offset from the coordinates of the place to scene coordinates. */
  readonly byMm: Vec3;
}

/** An endpoint as the HTTP module runs it: the types of body, query and reply are erased. */
export interface Endpoint extends Declaration<Schema | undefined, Schema | undefined, Schema | undefined> {
  /** The ids of the scenes that a request names, known or not. */
  readonly scenesOf: (body: unknown) => readonly string[];
  /** Whether a request waits in the queues of these scenes. Reads do not wait. */
  readonly isQueued: boolean;
  /** Whether a request changes the one scene that it names and nothing else, so that the change can be computed without being made. */
  readonly changesOneScene?: boolean;
  readonly handle: (request: Request, server: Server, context: RequestContext) => Promise<unknown>;
}

/** A parsed request. */
export interface Request {
  readonly body: unknown;
  readonly query: unknown;
}

type Queueing = Pick<Endpoint, "scenesOf" | "isQueued" | "changesOneScene">;

const namedScene: Endpoint["scenesOf"] = (body) => [(body as { scene_id: string }).scene_id];
const noScene: Endpoint["scenesOf"] = () => [];

/** Erases the types of body, query and reply: the HTTP module checks both by the declaration's schemas. */
function endpoint(declaration: object, queueing: Queueing, handle: Endpoint["handle"]): Endpoint {
  return { ...(declaration as Endpoint), ...queueing, handle };
}

type SceneBody = v.GenericSchema<unknown, { scene_id: string }>;

/** An endpoint that reads one scene, in the state of the last finished change. */
export function readsScene<Body extends SceneBody, Reply extends Schema | undefined = undefined>(
  declaration: Declaration<Body, undefined, Reply>,
  run: (scene: Scene, body: Out<Body>, context: RequestContext) => Answer<Reply> | Promise<Answer<Reply>>,
): Endpoint {
  return endpoint(declaration, { scenesOf: namedScene, isQueued: false }, async ({ body }, server, context) => {
    const parsed = body as Out<Body> & { scene_id: string };
    return run(findScene(server.store.read(), parsed.scene_id), parsed, context);
  });
}

/**
 * An endpoint that changes one scene: `run` returns the next scene and the answer. Warnings about removed supports are added to the
 * answer.
 */
export function changesScene<Body extends SceneBody, Reply extends Schema | undefined = undefined>(
  declaration: Declaration<Body, undefined, Reply>,
  run: (
    scene: Scene,
    body: Out<Body>,
    context: RequestContext,
  ) => readonly [Scene, Answer<Reply>] | Promise<readonly [Scene, Answer<Reply>]>,
): Endpoint {
  const queueing = { scenesOf: namedScene, isQueued: true, changesOneScene: true };
  return endpoint(declaration, queueing, async ({ body }, server, context) => {
    const parsed = body as Out<Body> & { scene_id: string };
    const scene = findScene(server.store.read(), parsed.scene_id);
    const [next, answer] = await run(scene, parsed, context);
    await commitEdit((project) => replaceScene(project, next), server, context);
    return withWarnings(answer, lostSupportsWarnings(scene, next));
  });
}

/** The answer with additional warnings. The reply of every endpoint that changes a scene may have warnings. */
function withWarnings(answer: unknown, more: readonly string[]): unknown {
  if (more.length === 0) return answer;
  const { warnings = [] } = answer as { readonly warnings?: readonly string[] };
  return { ...(answer as object), warnings: [...warnings, ...more] };
}

/** Makes a change, in one commit of the project. Throws `CancelledError` if the request was cancelled before. */
export async function commitEdit(
  edit: (project: Project) => Project,
  { store }: Pick<Server, "store">,
  context: Pick<RequestContext, "settle" | "commit">,
): Promise<void> {
  const present = new Set(store.read().scenes);
  await context.settle(edit(store.read()).scenes.filter((scene) => !present.has(scene)));
  context.commit();
  store.commit(edit);
}

/** A declaration of an endpoint for the whole project. Requests wait in the queues of the scenes that `waitsFor` returns. */
type ProjectDeclaration<Body extends Schema | undefined, Reply extends Schema | undefined> = Declaration<
  Body,
  undefined,
  Reply
> & {
  readonly waitsFor?: (body: Out<Body>) => readonly string[];
};

const queueingOf = (waitsFor: unknown): Queueing => ({
  scenesOf: (waitsFor as Endpoint["scenesOf"] | undefined) ?? noScene,
  isQueued: waitsFor !== undefined,
});

/** An endpoint that reads the whole project. */
export function readsProject<Body extends Schema | undefined, Reply extends Schema | undefined = undefined>(
  { waitsFor, ...declaration }: ProjectDeclaration<Body, Reply>,
  run: (project: Project, body: Out<Body>, context: RequestContext) => Answer<Reply> | Promise<Answer<Reply>>,
): Endpoint {
  return endpoint(declaration, queueingOf(waitsFor), async ({ body }, server, context) =>
    run(server.store.read(), body as Out<Body>, context),
  );
}

/**
 * An endpoint that adds, removes or changes several scenes. `run` returns an edit, which is applied to the project at its commit. The scenes
 * for which it waits are in `project` as they will be then.
 */
export function changesProject<Body extends Schema, Reply extends Schema | undefined = undefined>(
  { waitsFor, ...declaration }: ProjectDeclaration<Body, Reply>,
  run: (
    body: Out<Body>,
    context: RequestContext,
    project: Project,
  ) => Promise<readonly [(project: Project) => Project, Answer<Reply>]>,
): Endpoint {
  return endpoint(declaration, queueingOf(waitsFor), async ({ body }, server, context) => {
    const [edit, answer] = await run(body as Out<Body>, context, server.store.read());
    await commitEdit(edit, server, context);
    return answer;
  });
}

/** An endpoint of the server itself: its version, its operations, its printers. It has no access to scenes. */
export function servesServer<
  Body extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Reply extends Schema | undefined = undefined,
>(
  declaration: Declaration<Body, Query, Reply>,
  run: (
    server: Omit<Server, "store" | "pool" | "sharedResults">,
    request: { body: Out<Body>; query: Out<Query> },
    context: RequestContext,
  ) => Answer<Reply> | Promise<Answer<Reply>>,
): Endpoint {
  return endpoint(declaration, { scenesOf: noScene, isQueued: false }, async ({ body, query }, server, context) =>
    run(server, { body: body as Out<Body>, query: query as Out<Query> }, context),
  );
}
