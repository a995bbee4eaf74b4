import { type App, methodNotAllowed } from "./app.ts";

/** A description of the interface: its path, its media type, and the function that makes its text. */
interface InterfaceDocument {
  readonly path: string;
  readonly type: string;
  readonly text: () => Promise<string>;
}

export type DocumentName = "openapi" | "api-docs";

/**
 * The descriptions of the interface, by the shell options that print them. They are generated from the declarations of the endpoints
 * (20 ms) at the first request, and their generator is loaded then.
 */
export const DOCUMENTS: Readonly<Record<DocumentName, InterfaceDocument>> = {
  openapi: {
    path: "/openapi.json",
    type: "application/json",
    text: async () => JSON.stringify(await newOpenApi(), null, 2),
  },
  "api-docs": {
    path: "/api.md",
    type: "text/markdown; charset=utf-8",
    text: async () => {
      const [{ apiDocument }, openApi] = await Promise.all([import("../api/api-document.ts"), newOpenApi()]);
      return apiDocument(openApi);
    },
  },
};

async function newOpenApi(): Promise<object> {
  const [{ openApi }, { EVENT_STREAM }, { ENDPOINTS }] = await Promise.all([
    import("../api/openapi.ts"),
    import("../api/event-stream-path.ts"),
    import("../feature/endpoints.ts"),
  ]);
  return openApi(ENDPOINTS, EVENT_STREAM);
}

/** Adds the routes of the {@link DOCUMENTS}. */
export function addDocuments(app: App): void {
  for (const { path, type, text } of Object.values(DOCUMENTS)) {
    let made: Promise<string> | undefined;
    app.all(path, async ({ req }) => {
      if (req.method !== "GET") return methodNotAllowed(path, [{ method: "GET" }]);
      return new Response(await (made ??= text()), { headers: { "Content-Type": type, "Cache-Control": "no-cache" } });
    });
  }
}
