/** `GET /v1/events/` in the OpenAPI document. It is no endpoint: its answer does not end. */
export const EVENT_STREAM = {
  path: "/v1/events/",
  query: {
    types: {
      type: "string",
      description: "Types of events, separated by commas, such as job.done,job.failed or job.*; default all.",
    },
    since: {
      type: "string",
      pattern: "^[0-9]{1,15}$",
      description:
        "Sequence number after which the events begin: 0 for all that are kept; default the events from now on. The header Last-Event-ID, which browsers send when they connect again, has precedence.",
    },
  },
  summary:
    "An addition to the interface. Streams the events of the queue of jobs as server-sent events, each a CloudEvents 1.0 object with its sequence number as the id. Events are kept for 7 days; an event `reset` says that later ones than since were removed, and that the client should list the jobs again.",
} as const;
