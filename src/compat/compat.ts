import type { Context } from "hono";
import type { Endpoint } from "../api/endpoint.ts";
import { type OperationRecords, newOperationRecords } from "../api/operation-records.ts";
import { ApiError, type ErrorEnvelope, toApiError, toEnvelope } from "../core/api-error.ts";
import { parseId } from "../core/id.ts";
import { type App, type RawRequest, methodNotAllowed } from "../http/app.ts";
import { jsonResponse } from "../http/json-response.ts";
import { newRequestReader } from "../http/read-request.ts";
import { type Runner, runAsync, runSync } from "../http/run-request.ts";
import { ACTION_ROWS } from "./action-rows.ts";
import { type BuiltInOptions, withBuiltInPrinters } from "./built-in-printers.ts";
import { CHECK_ROWS } from "./check-rows.ts";
import { DRILL_ROW } from "./drill-row.ts";
import { ModelFailures } from "./model-failures.ts";
import { MODEL_ROWS } from "./model-rows.ts";
import { inCompatTerms, withCompatNotices } from "./compat-terms.ts";
import { SceneSwapper } from "./scene-swapper.ts";
import { type Row, type RowRequest, endpointOf } from "./row.ts";
import { type SceneOrder, newSceneOrder } from "./scene-order.ts";
import { SCENE_ROWS } from "./scene-rows.ts";
import { SERVER_ROWS } from "./server-rows.ts";
import { must } from "../core/must.ts";

/** All paths of the 0.9 interface. Tests iterate over this table. */
export const ROWS: readonly Row[] = [
  ...SERVER_ROWS,
  ...SCENE_ROWS,
  ...MODEL_ROWS,
  ...ACTION_ROWS,
  DRILL_ROW,
  ...CHECK_ROWS,
];

const DEFAULT = "default";
const SCENE_SEGMENT = "/:scene";

/** The scene of a path: that of its id, the default one, the newest one, or none. */
type Whose = "given" | "default" | "newest" | "none";

/** A path and its row. */
interface Route {
  readonly path: string;
  readonly whose: Whose;
  readonly row: Row;
  readonly endpoint: Endpoint;
}

function routesOf(row: Row, order: SceneOrder): Route[] {
  const endpoint = endpointOf(row, order);
  const route = (whose: Whose, path: string): Route => ({ path, whose, row, endpoint });
  if (!row.path.includes(SCENE_SEGMENT)) return [route("none", row.path)];
  if (row.onlyDefault) return [route("default", row.path.replace(SCENE_SEGMENT, `/${DEFAULT}`))];
  const ofNewest = row.alsoOfNewest ? [route("newest", row.path.replace(SCENE_SEGMENT, ""))] : [];
  return [route("given", row.path), ...ofNewest];
}

export interface CompatOptions {
  /** Most scenes that are kept in memory. */
  readonly sceneCacheSize: number;
  /** Present if the server has a virtual printer of each type by default. */
  readonly builtInPrinters?: BuiltInOptions | undefined;
}

/**
 * Most records of finished operations. Their results hold whole scenes here, so the 10,000 records that `/v1/` keeps would take gigabytes.
 */
const MAX_OPERATION_RECORDS = 1000;

/** The 0.9 interface of a server, for clients that were written for it. */
export interface Compat {
  /** Runs the requests of all interfaces, so that all can use scenes that are swapped out. */
  readonly runner: Runner;
  addRoutes(app: App): void;
  close(): Promise<void>;
}

export function newCompat(own: Runner, { sceneCacheSize, builtInPrinters }: CompatOptions): Compat {
  const swapper = new SceneSwapper(own, sceneCacheSize);
  const server = { ...own.server, operations: newOperationRecords(MAX_OPERATION_RECORDS, envelopeOf) };
  const runner = { ...own, server, swapInScenes: (sceneIds: readonly string[]) => swapper.swapIn(sceneIds) };
  const builtIn = builtInPrinters && withBuiltInPrinters(server.printers, builtInPrinters);
  const operations = withCompatTerms(server.operations);
  const forRows = { ...runner, server: { ...server, operations, printers: builtIn ?? server.printers } };
  return {
    runner,
    addRoutes: (app) => addRoutes(app, forRows),
    async close() {
      await Promise.all([swapper.close(), builtIn?.close()]);
    },
  };
}

/** The same records, with the paths of this interface in the texts of their results. */
const withCompatTerms = (operations: OperationRecords): OperationRecords => ({
  begin: (operation) => operations.begin(operation),
  get: (id, once) => operations.get(id, once),
  list: (ids) => operations.list(ids),
  remove: (ids) => operations.remove(ids),
  cancel: (ids) => operations.cancel(ids),
  succeed: (id, result) => operations.succeed(id, withCompatNotices(result)),
  fail: (id, error) => operations.fail(id, inCompatTerms(error)),
});

const envelopeOf = (error: ApiError): ErrorEnvelope => ({
  ...toEnvelope(error),
  ...(error instanceof ModelFailures && { failures: error.modelIds }),
});

function addRoutes(app: App, runner: Runner): void {
  const order = newSceneOrder();
  const read = newRequestReader(runner.server.converters.extensions);
  // Hono uses the first matching route, so names such as `save-form` come before ids at the same position.
  const routes = ROWS.flatMap((row) => routesOf(row, order)).sort((a, b) => rankOf(a) - rankOf(b));

  async function answer(
    { whose, row, endpoint }: Route,
    context: Context<{ Bindings: RawRequest }>,
  ): Promise<Response> {
    const { rawBody } = context.env;
    try {
      const query = lowerCaseAsync(new URL(context.req.url).searchParams);
      const parsed = await read(endpoint, query, rawBody).finally(rawBody.release);
      const request = {
        query: undefined,
        body: {
          sceneId: sceneIdOf(whose, context.req.param("scene"), runner, order),
          // The pattern of a name with slashes also matches the trailing slash.
          id: (context.req.param("id") ?? "").replace(/\/$/, ""),
          body: parsed.body,
          query: Object.fromEntries(query),
        } as RowRequest,
      };
      if (parsed.async) return accepted(runAsync(runner, endpoint, request));
      const result = withCompatNotices(await runSync(runner, endpoint, request));
      return result === undefined ? new Response(null, { status: 200 }) : jsonResponse(result);
    } catch (thrown) {
      return refusal(toApiError(thrown), row);
    }
  }

  for (const route of routes) app.on(route.row.method, patternOf(route), (context) => answer(route, context));
  for (const [pattern, ofPath] of Map.groupBy(routes, patternOf)) {
    const methods = ofPath.map(({ row: { method } }) => ({ method }));
    app.all(pattern, () => methodNotAllowed(must(ofPath[0], "the route").path, methods));
  }
}

/** Hono, which is not strict here, matches paths with and without a trailing slash. */
const withoutSlash = (path: string): string => (path === "/" ? path : path.slice(0, -1));

/** The path of a route as a pattern of Hono. */
const patternOf = ({ path, row }: Route): string =>
  row.idHasSlashes ? withoutSlash(path).replace(":id", ":id{.+}") : withoutSlash(path);

const rankOf = ({ path }: Route): number => path.split("/").filter((segment) => segment.startsWith(":")).length;

/** The id of the scene of a request. Empty for paths without a scene. */
function sceneIdOf(whose: Whose, given: string | undefined, { server }: Runner, order: SceneOrder): string {
  const project = server.store.read();
  if (whose === "default" || (whose === "given" && given === DEFAULT))
    return must(project.scenes[0], "the default scene").id;
  if (whose === "newest") return order.newest(project);
  return given === undefined ? "" : (parseId(given) ?? given);
}

/** Python clients send True and False. */
function lowerCaseAsync(query: URLSearchParams): URLSearchParams {
  const value = query.get("async");
  if (value !== null) query.set("async", value.toLowerCase());
  return query;
}

function accepted(operationId: string): Response {
  const operation_url = `/operations/${operationId}/`;
  return Response.json(
    { operationId, operation_id: operationId, operation_url },
    { status: 202, headers: { Location: operation_url } },
  );
}

const refusal = (error: ApiError, { has404 = false, compatFields }: Row): Response =>
  Response.json(envelopeOf(inCompatTerms(error, compatFields)), {
    status: error.status === 404 && !has404 ? 400 : error.status,
  });
