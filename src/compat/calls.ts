import { type Endpoint, type RequestContext, type Server, commitEdit } from "../api/endpoint.ts";
import { matchSchema } from "../core/match-schema.ts";
import { schemaMismatch } from "../http/read-request.ts";
import { type Project, type Store, newStore } from "../scene/project.ts";

/** Carries out the calls of `/v1/` endpoints that form one request of 0.9. */
export interface Calls {
  readonly server: Server;
  readonly context: RequestContext;
  /** Checks a body as a request to that endpoint would, carries it out, and resolves to its answer. Throws the errors of the endpoint. */
  call<Answer = undefined>(endpoint: Endpoint, body?: object, query?: object): Promise<Answer>;
}

/** Calls that only read, or that change printers, accounts and files: each takes effect on its own. */
export const directCalls = (server: Server, context: RequestContext): Calls => ({
  server,
  context,
  call: (endpoint, body = {}, query = {}) => carryOut(endpoint, { body, query }, server, context),
});

/** Calls that take effect together. */
export interface StagedCalls extends Calls {
  /** Changes the project of these calls directly. */
  edit(edit: (project: Project) => Project): void;
  /** Applies the changes of all calls in one commit of the project. Throws `CancelledError` if the request was cancelled before. */
  finish(): Promise<void>;
}

/** 0.9 has no limit for the number of scenes. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Calls that see the changes of earlier ones, which become visible to others only once all have succeeded. */
export function stagedCalls(server: Server, context: RequestContext): StagedCalls {
  const edits: ((project: Project) => Project)[] = [];
  const staged = newStore(server.store.read());
  const store: Store = {
    ...staged,
    commit(edit) {
      staged.commit(edit);
      edits.push(edit);
    },
  };
  const stagedServer = { ...server, store, maxScenes: UNLIMITED };
  const stagedContext = {
    ...context,
    maxScenes: UNLIMITED,
    settle: async () => {},
    commit: () => context.throwIfCancelled(),
  };
  return {
    ...directCalls(stagedServer, stagedContext),
    edit: store.commit,
    finish: () => commitEdit((project) => edits.reduce((changed, edit) => edit(changed), project), server, context),
  };
}

/** Checks a body for an endpoint. Throws the errors that a request with that body gets before it begins. */
export function checkedBody({ body: schema, check }: Endpoint, body: object, extensions: readonly string[]): unknown {
  if (!schema) return undefined;
  const checked = matchSchema(schema, body, schemaMismatch);
  // The body has matched the schema that types the parameter of the check.
  check?.(checked as never, extensions);
  return checked;
}

async function carryOut<Answer>(
  endpoint: Endpoint,
  { body, query }: { readonly body: object; readonly query: object },
  server: Server,
  context: RequestContext,
): Promise<Answer> {
  const request = { body: checkedBody(endpoint, body, server.converters.extensions), query };
  return (await endpoint.handle(request, server, context)) as Answer;
}
