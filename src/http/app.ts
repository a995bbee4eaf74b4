import { Hono } from "hono";
import type { Endpoint } from "../api/endpoint.ts";
import { Fault, toEnvelope, toFault } from "../core/fault.ts";
import { readRequest } from "./read-request.ts";
import { runInBackground, runNow, type Runner } from "./run-request.ts";

/** What the listener hands beside the request: the raw body, which a GET may have too. */
export interface Delivered {
  readonly rawBody: Uint8Array;
}

/** Routes requests to the endpoints of the table and turns what they answer or throw into responses. */
export function newApp(endpoints: readonly Endpoint[], runner: Runner): Hono<{ Bindings: Delivered }> {
  const app = new Hono<{ Bindings: Delivered }>({ strict: false });
  for (const [path, methods] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    // Not strict: Hono drops the trailing slash of a request before it looks a path up.
    app.all(path.slice(0, -1), async (context) => {
      const endpoint = methods.find(({ method }) => method === context.req.method);
      if (!endpoint) return methodNotAllowed(path, methods);
      return answer(endpoint, runner, new URL(context.req.url).searchParams, context.env.rawBody);
    });
  }
  app.notFound((context) =>
    faultResponse(new Fault("NOT_FOUND", `${context.req.path} is not an endpoint of this server.`)),
  );
  app.onError((thrown) => faultResponse(toFault(thrown)));
  return app;
}

async function answer(endpoint: Endpoint, runner: Runner, query: URLSearchParams, body: Uint8Array): Promise<Response> {
  const request = readRequest(endpoint, { query, body });
  if (request.async) return accepted(runInBackground(runner, endpoint, request));
  const result = await runNow(runner, endpoint, request);
  return result === undefined ? new Response(null, { status: 200 }) : Response.json(result);
}

function accepted(operationId: string): Response {
  const operationUrl = `/v1/operation/get/?operation_id=${operationId}`;
  return Response.json(
    {
      operation_id: operationId,
      operation_url: operationUrl,
      message: "The operation was started: poll operation_url.",
    },
    { status: 202, headers: { Location: operationUrl } },
  );
}

function methodNotAllowed(path: string, methods: readonly Endpoint[]): Response {
  const allow = methods.map(({ method }) => method).join(", ");
  return faultResponse(new Fault("METHOD_NOT_ALLOWED", `${path} takes ${allow}.`), { Allow: allow });
}

export const faultResponse = (fault: Fault, headers: Record<string, string> = {}): Response =>
  Response.json(toEnvelope(fault), { status: fault.status, headers });
