import * as v from "valibot";
import type { Endpoint } from "../api/endpoint.ts";
import { type Body, withoutNulls } from "./body.ts";
import { type Calls, type StagedCalls, checkedBody, directCalls, stagedCalls } from "./calls.ts";
import type { SceneOrder } from "./scene-order.ts";

/** A request of the 0.9 interface: what its path names, and its body. */
export interface RowRequest {
  /** Of the path, or of the newest scene. Empty where the row has none. */
  readonly sceneId: string;
  /** The model, device or operation of the path. Empty where the row has none. */
  readonly id: string;
  readonly body: Body;
  readonly query: Readonly<Record<string, string>>;
}

/** A call of an endpoint with a body. */
export type Call = readonly [Endpoint, Body];

interface RowBase {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With its trailing slash. `:scene` is the id of a scene or `default`, `:id` that of another thing. */
  readonly path: string;
  /** The same path without `/:scene` acts on the newest scene. */
  readonly alsoOfNewest?: boolean;
  /** Only for the path that names the scene `default`. */
  readonly onlyDefault?: boolean;
  /** Accepts `?async=true`. */
  readonly async?: boolean;
  readonly holdsSecrets?: boolean;
  readonly needsNoMeshes?: boolean;
  /** Cancels what runs and waits on the scene. */
  readonly cancelsOthers?: boolean;
  /** The scene that it answers with is the newest from then on. */
  readonly answersNewest?: boolean;
  /** Whether the thing of `:id` may have slashes in its name, which clients do not all escape. */
  readonly idHasSlashes?: boolean;
  /** Its fields for those of `/v1/`, by which messages name them, where 0.9 has other names. */
  readonly ownFields?: Readonly<Record<string, string>>;
  /** A status of 404 is one here; elsewhere 0.9 has 400 for what is not there. */
  readonly has404?: boolean;
  /** A call whose body is checked before the request begins. */
  readonly first?: (request: RowRequest) => Call | undefined;
}

/** A row that takes effect by itself where it changes anything. */
interface DirectRow extends RowBase {
  readonly changesScenes?: false;
  readonly run: (calls: Calls, request: RowRequest) => unknown;
}

/** A row that changes scenes, in one turn of the queue of its scene: all of its calls take effect, or none. */
interface ChangingRow extends RowBase {
  readonly changesScenes: true;
  readonly run: (calls: StagedCalls, request: RowRequest) => unknown;
}

/** A path and method of the 0.9 interface, as calls of endpoints of `/v1/`. */
export type Row = DirectRow | ChangingRow;

/** A row as an endpoint, which requests are run by as those of `/v1/` are. Its requests have a {@link RowRequest} for a body. */
export function endpointOf(row: Row, order: SceneOrder): Endpoint {
  return {
    method: row.method,
    path: row.path,
    summary: "",
    body: anyBody,
    bodyOptional: true,
    holdsSecrets: row.holdsSecrets ?? false,
    async: row.async ?? false,
    needsNoMeshes: row.needsNoMeshes ?? false,
    cancelsOthers: row.cancelsOthers ?? false,
    check(body, extensions) {
      const first = row.first?.({ sceneId: "", id: "", body: body as Body, query: {} });
      if (first) checkedBody(first[0], first[1], extensions);
    },
    isQueued: row.changesScenes ?? false,
    scenesOf: (request) => [(request as RowRequest).sceneId].filter((id) => id !== ""),
    async handle({ body }, server, context) {
      const request = body as RowRequest;
      if (!row.changesScenes) return row.run(directCalls(server, context), request);
      const calls = stagedCalls(server, context);
      const answer = await row.run(calls, request);
      await calls.finish();
      if (row.answersNewest) order.renew((answer as { id: string }).id, server.store.read());
      return answer;
    },
  };
}

/** Any object: the endpoints that it is translated for check its values. */
const anyBody = v.pipe(
  v.looseObject({}),
  v.transform((body) => withoutNulls(body) as Body),
);

/** The part of a row that is one call, and an answer made of that of the call. A translation to undefined leaves the call out. */
export function oneCall<Answer>(
  endpoint: Endpoint,
  translate: (request: RowRequest) => Body | undefined,
  answer: (answer: Answer | undefined, calls: Calls, request: RowRequest) => unknown = () => undefined,
): Pick<DirectRow, "first" | "run"> {
  const callOf = (request: RowRequest): Call | undefined => {
    const body = translate(request);
    return body && [endpoint, body];
  };
  return {
    first: callOf,
    async run(calls, request) {
      const call = callOf(request);
      return answer(call && (await calls.call<Answer>(...call)), calls, request);
    },
  };
}
