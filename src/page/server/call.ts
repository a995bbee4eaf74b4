/** An error of the server, with its code for programs and its message for people. */
export class ServerError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Our own code: no server answered. */
export const SERVER_GONE = "SERVER_GONE";
export const CANCELLED = "OPERATION_CANCELLED";

export const isServerGone = (thrown: unknown): boolean => thrown instanceof ServerError && thrown.code === SERVER_GONE;
export const isCancelled = (thrown: unknown): boolean => thrown instanceof ServerError && thrown.code === CANCELLED;

/** Sends a request with a JSON body and returns the JSON of its answer. Throws a `ServerError`. */
export async function call<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
  return (await send(path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  })) as Reply;
}

export const post = <Reply>(path: string, body: unknown = {}): Promise<Reply> => call<Reply>("POST", path, body);
export const get = <Reply>(path: string): Promise<Reply> => call<Reply>("GET", path);

/** Copies a file to the server and returns its path there, for fields of requests that name a file. */
export async function upload(file: File): Promise<string> {
  const path = `/ui/upload/?name=${encodeURIComponent(file.name)}`;
  const reply = (await send(path, { method: "POST", body: file })) as { readonly file: string };
  return reply.file;
}

async function send(path: string, request: RequestInit): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, request);
    text = await response.text();
  } catch {
    throw new ServerError(SERVER_GONE, "Printwright does not answer. Is it still running?");
  }
  const reply: unknown = text === "" ? undefined : parse(text, response.status);
  if (response.ok) return reply;
  const { code = "UNKNOWN_FAILURE", message = `The server answered with status ${response.status}.` } =
    (reply as { error?: { code?: string; message?: string } } | undefined)?.error ?? {};
  throw new ServerError(code, message);
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServerError("UNKNOWN_FAILURE", `The answer with status ${status} is no JSON.`);
  }
}
