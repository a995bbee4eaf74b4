import type * as v from "valibot";
import type { Printers } from "../printer/printers.ts";
import { findScene } from "../scene/find.ts";
import { replaceScene } from "../scene/edit.ts";
import type { Project, Scene } from "../scene/project.ts";
import type { Store } from "../scene/store.ts";
import type { TaskInput, TaskName, TaskOutput } from "../worker/table.ts";
import type { OperationRecords } from "./operation/records.ts";

/** What the process holds while it runs. */
export interface Server {
  readonly version: string;
  readonly maxScenes: number;
  readonly store: Store;
  readonly operations: OperationRecords;
  readonly printers: Printers;
}

/** What a request may use beside its input: kernels on worker threads, printers, and the word whether it was cancelled. */
export interface Kit {
  readonly maxScenes: number;
  readonly printers: Printers;
  compute<Name extends TaskName>(task: Name, input: TaskInput<Name>): Promise<TaskOutput<Name>>;
  /** Throws `Cancelled` once the request was given up; called before anything is committed. */
  throwIfCancelled(): void;
}

type Schema = v.GenericSchema;
type Out<S> = S extends Schema ? v.InferOutput<S> : undefined;
type Answer<S> = S extends Schema ? v.InferInput<S> : void;

/** What an endpoint declares; everything a client or a reader of the OpenAPI document needs to know of it. */
export interface Declaration<
  Body extends Schema | undefined,
  Query extends Schema | undefined,
  Reply extends Schema | undefined,
> {
  readonly method: "GET" | "POST" | "DELETE";
  /** Canonical path, with its trailing slash. */
  readonly path: string;
  readonly summary: string;
  /** Absent: a body is not looked at. */
  readonly body?: Body;
  /** An empty body counts as `{}`. */
  readonly bodyOptional?: boolean;
  /** Over the query's strings. A required entry that is absent is MISSING_QUERY_PARAMETER, a bad one INVALID_QUERY_PARAMETER. */
  readonly query?: Query;
  /** Absent: success has no body. */
  readonly reply?: Reply;
  /** Accepts `?async=true`. */
  readonly async?: boolean;
  /** What the request alone tells, once its body matches the schema: the file's extension. */
  readonly check?: (body: Out<Body>) => void;
}

/** An endpoint as the HTTP room runs it: its declaration with the types of body, query and reply forgotten. */
export interface Endpoint extends Declaration<Schema | undefined, Schema | undefined, Schema | undefined> {
  /** The scenes that a request names, known or not. */
  readonly scenesOf: (body: unknown) => readonly string[];
  /** Whether a request waits for its turn in the queues of those scenes. Reads do not. */
  readonly takesTurn: boolean;
  readonly perform: (request: Request, server: Server, kit: Kit) => Promise<unknown>;
}

export interface Request {
  readonly body: unknown;
  readonly query: unknown;
}

/** Which scenes a request names, and whether it waits in their queues. */
type Queueing = Pick<Endpoint, "scenesOf" | "takesTurn">;

const namedScene: Endpoint["scenesOf"] = (body) => [(body as { scene_id: string }).scene_id];
const noScene: Endpoint["scenesOf"] = () => [];

/** The endpoint of a declaration; from here on the types of its body, query and reply are forgotten. */
function endpoint(declaration: object, queueing: Queueing, perform: Endpoint["perform"]): Endpoint {
  return { ...(declaration as Endpoint), ...queueing, perform };
}

type SceneBody = v.GenericSchema<unknown, { scene_id: string }>;

/** An endpoint that looks at one scene, as the last finished change left it. */
export function readsScene<Body extends SceneBody, Reply extends Schema | undefined = undefined>(
  declaration: Declaration<Body, undefined, Reply>,
  run: (scene: Scene, body: Out<Body>, kit: Kit) => Answer<Reply> | Promise<Answer<Reply>>,
): Endpoint {
  return endpoint(declaration, { scenesOf: namedScene, takesTurn: false }, async ({ body }, server, kit) => {
    const known = body as Out<Body> & { scene_id: string };
    return run(findScene(server.store.read(), known.scene_id), known, kit);
  });
}

/** An endpoint that changes one scene: it gets the scene and gives back the next one with its answer. */
export function changesScene<Body extends SceneBody, Reply extends Schema | undefined = undefined>(
  declaration: Declaration<Body, undefined, Reply>,
  run: (
    scene: Scene,
    body: Out<Body>,
    kit: Kit,
  ) => readonly [Scene, Answer<Reply>] | Promise<readonly [Scene, Answer<Reply>]>,
): Endpoint {
  return endpoint(declaration, { scenesOf: namedScene, takesTurn: true }, async ({ body }, server, kit) => {
    const known = body as Out<Body> & { scene_id: string };
    const [next, answer] = await run(findScene(server.store.read(), known.scene_id), known, kit);
    kit.throwIfCancelled();
    server.store.commit((project) => replaceScene(project, next));
    return answer;
  });
}

/** A declaration about the whole project. With `waitsFor`, requests take their turn in the queues of the scenes they name. */
type ProjectDeclaration<Body extends Schema | undefined, Reply extends Schema | undefined> = Declaration<
  Body,
  undefined,
  Reply
> & {
  readonly waitsFor?: (body: Out<Body>) => readonly string[];
};

const queueingOf = (waitsFor: unknown): Queueing => ({
  scenesOf: (waitsFor as Endpoint["scenesOf"] | undefined) ?? noScene,
  takesTurn: waitsFor !== undefined,
});

/** An endpoint that looks at the whole project. */
export function readsProject<Body extends Schema | undefined, Reply extends Schema | undefined = undefined>(
  { waitsFor, ...declaration }: ProjectDeclaration<Body, Reply>,
  run: (project: Project, body: Out<Body>, kit: Kit) => Answer<Reply> | Promise<Answer<Reply>>,
): Endpoint {
  return endpoint(declaration, queueingOf(waitsFor), async ({ body }, server, kit) =>
    run(server.store.read(), body as Out<Body>, kit),
  );
}

/** An endpoint that adds or removes scenes. The edit meets the project as it is at the moment of its commit. */
export function changesProject<Body extends Schema, Reply extends Schema | undefined = undefined>(
  { waitsFor, ...declaration }: ProjectDeclaration<Body, Reply>,
  run: (body: Out<Body>, kit: Kit) => Promise<readonly [(project: Project) => Project, Answer<Reply>]>,
): Endpoint {
  return endpoint(declaration, queueingOf(waitsFor), async ({ body }, server, kit) => {
    const [edit, answer] = await run(body as Out<Body>, kit);
    kit.throwIfCancelled();
    server.store.commit(edit);
    return answer;
  });
}

/** An endpoint about the server itself: its version, its operations, its printers. It sees no scene. */
export function servesServer<
  Body extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Reply extends Schema | undefined = undefined,
>(
  declaration: Declaration<Body, Query, Reply>,
  run: (
    server: Omit<Server, "store">,
    request: { body: Out<Body>; query: Out<Query> },
    kit: Kit,
  ) => Answer<Reply> | Promise<Answer<Reply>>,
): Endpoint {
  return endpoint(declaration, { scenesOf: noScene, takesTurn: false }, async ({ body, query }, server, kit) =>
    run(server, { body: body as Out<Body>, query: query as Out<Query> }, kit),
  );
}
