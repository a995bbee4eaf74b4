import { EVENT_STREAM } from "../../api/event-stream-path.ts";
import { ApiError, excerpt } from "../../core/api-error.ts";
import { openedOnce } from "../../core/opened-once.ts";
import type { EventLog } from "./event-log.ts";
import { type App, methodNotAllowed } from "../../http/app.ts";

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store",
  // A proxy that collects answers would hold events back.
  "X-Accel-Buffering": "no",
  "Transfer-Encoding": "chunked",
};

/** The route of the stream of events, which opens the queue at its first request. */
export interface EventRoutes {
  addRoutes(app: App): void;
  /** Ends all streams. */
  close(): Promise<void>;
}

export function newEventRoutes(open: () => Promise<EventLog>): EventRoutes {
  const closing = new AbortController();
  const tidied = openedOnce(async () => {
    const [{ keepTidy }, log] = await Promise.all([import("./keep-tidy.ts"), open()]);
    closing.signal.addEventListener("abort", keepTidy(log));
    return log;
  });
  return {
    addRoutes(app) {
      app.all(EVENT_STREAM.path.slice(0, -1), async ({ req, env }) => {
        if (req.method !== "GET") return methodNotAllowed(EVENT_STREAM.path, [{ method: "GET" }]);
        const query = new URL(req.url).searchParams;
        const [{ eventStream }, { typeFilter }] = await Promise.all([
          import("./event-stream.ts"),
          import("./cloud-event.ts"),
        ]);
        const words = (query.get("types") ?? "").split(",").filter((word) => word !== "");
        const wants = typeFilter(words, "INVALID_QUERY_PARAMETER");
        const since = sinceOf(env.headers["last-event-id"]?.toString() ?? query.get("since"));
        const stream = eventStream(await tidied.open(), { since, wants, signal: closing.signal });
        return new Response(stream, { headers: HEADERS });
      });
    },
    async close() {
      closing.abort();
      await tidied.close();
    },
  };
}

function sinceOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ApiError(
    "INVALID_QUERY_PARAMETER",
    `"${excerpt(text)}" is not the number of an event: give since or Last-Event-ID the id of the last one, or 0.`,
  );
}
