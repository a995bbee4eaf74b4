import * as v from "valibot";
import type { Endpoint } from "../api/endpoint.ts";
import { type Body, withoutNulls } from "./body.ts";
import { type Calls, type StagedCalls, checkedBody, directCalls, stagedCalls } from "./calls.ts";
import type { SceneOrder } from "./scene-order.ts";

/** A request of the 0.9 interface: the ids in its path, and its body. */
export interface RowRequest {
  /** The scene of the path, or the newest scene. Empty if the row has none. */
  readonly sceneId: string;
  /** The model, device or operation of the path. Empty if the row has none. */
  readonly id: string;
  readonly body: Body;
  readonly query: Readonly<Record<string, string>>;
}

/** A call of an endpoint with a body. */
export type Call = readonly [Endpoint, Body];

interface RowBase {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Has a trailing slash. `:scene` is the id of a scene or `default`, `:id` that of another object. */
  readonly path: string;
  /** Whether the same path without `/:scene` acts on the newest scene. */
  readonly alsoOfNewest?: boolean;
  /** Whether only the path with `default` for the scene exists. */
  readonly onlyDefault?: boolean;
  /** Whether it accepts `?async=true`. */
  readonly async?: boolean;
  readonly holdsSecrets?: boolean;
  readonly needsNoMeshes?: boolean;
  /** Whether it cancels the running and waiting requests of the scene. */
  readonly cancelsOthers?: boolean;
  /** Whether the scene of its answer becomes the newest one. */
  readonly answersNewest?: boolean;
  /** Whether `:id` may have slashes, which not all clients escape. */
  readonly idHasSlashes?: boolean;
  /** Names of fields in 0.9, by their names in `/v1/`, which messages have. */
  readonly compatFields?: Readonly<Record<string, string>>;
  /** Whether a missing object is answered with 404, not with 400 as elsewhere in 0.9. */
  readonly has404?: boolean;
  /** A call whose body is checked before the request begins. */
  readonly first?: (request: RowRequest) => Call | undefined;
}

/** A row whose calls take effect one by one, if they change anything. */
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

/** Makes an endpoint of a row, so that it runs as those of `/v1/` do. Its requests have a {@link RowRequest} for a body. */
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

/** Any object: the endpoints to which it is translated check its values. */
const anyBody = v.pipe(
  v.looseObject({}),
  v.transform((body) => withoutNulls(body) as Body),
);

/** A row that is one call, with an answer made from that of the call. If the body translates to undefined, the call is left out. */
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
