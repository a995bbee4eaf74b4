import type { IncomingHttpHeaders } from "node:http";
import { Hono } from "hono";
import type { Endpoint } from "../api/endpoint.ts";
import { ApiError, toApiError, toEnvelope } from "../core/api-error.ts";
import type { ReceivedBody } from "./receive-body.ts";
import { jsonResponse } from "./json-response.ts";
import { type ParsedRequest, newRequestReader } from "./read-request.ts";
import { type Runner, runAsync, runSync } from "./run-request.ts";

/** Data from the listener in addition to the request, such as the raw body, which the Fetch standard does not allow for GET. */
export interface RawRequest {
  readonly headers: IncomingHttpHeaders;
  /** Empty if the body is passed as `bodyStream`. */
  readonly rawBody: ReceivedBody;
  /** The body of a request to one of `streamedPaths`, as it arrives. Throws if the client disconnects or stops sending. */
  readonly bodyStream?: AsyncIterable<Uint8Array>;
  /** Aborted if the client disconnects before it has the whole answer. */
  readonly hungUp: AbortSignal;
}

export type App = Hono<{ Bindings: RawRequest }>;

/** Routes requests to endpoints, and makes responses from their return values and errors. `parts` add routes that are not endpoints. */
export function newApp(
  endpoints: readonly Endpoint[],
  runner: Runner,
  parts: readonly ((app: App) => void)[] = [],
): App {
  const app: App = new Hono({ strict: false });
  const read = newRequestReader(runner.server.converters.extensions);
  for (const [path, methods] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    // Hono is not strict here and matches paths with and without a trailing slash.
    app.all(path.slice(0, -1), async (context) => {
      const endpoint = methods.find(({ method }) => method === context.req.method);
      if (!endpoint) return methodNotAllowed(path, methods);
      const { rawBody } = context.env;
      const query = new URL(context.req.url).searchParams;
      const request = await read(endpoint, query, rawBody).finally(rawBody.release);
      return answer(endpoint, runner, request);
    });
  }
  for (const add of parts) add(app);
  app.notFound((context) =>
    errorResponse(new ApiError("NOT_FOUND", `${context.req.path} is not an endpoint of this server.`)),
  );
  app.onError((thrown) => errorResponse(toApiError(thrown)));
  return app;
}

async function answer(endpoint: Endpoint, runner: Runner, request: ParsedRequest): Promise<Response> {
  if (request.async) return accepted(runAsync(runner, endpoint, request));
  const result = await runSync(runner, endpoint, request);
  return result === undefined ? new Response(null, { status: 200 }) : jsonResponse(result);
}

function accepted(operationId: string): Response {
  const operationUrl = `/v1/operation/get/?operation_id=${operationId}`;
  const message = "The operation was started: poll operation_url.";
  return Response.json(
    { operation_id: operationId, operation_url: operationUrl, message },
    { status: 202, headers: { Location: operationUrl } },
  );
}

export function methodNotAllowed(path: string, methods: readonly Pick<Endpoint, "method">[]): Response {
  const allow = methods.map(({ method }) => method).join(", ");
  return errorResponse(new ApiError("METHOD_NOT_ALLOWED", `${path} takes ${allow}.`), { Allow: allow });
}

export const errorResponse = (error: ApiError, headers: Record<string, string> = {}): Response =>
  Response.json(toEnvelope(error), { status: error.status, headers });
