/** An error reported by the server, with its code and its message. */
export class ServerError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Code of the page itself: no server answered. */
const SERVER_GONE = "SERVER_GONE";
export const CANCELLED = "OPERATION_CANCELLED";

export const isServerGone = (thrown: unknown): boolean => thrown instanceof ServerError && thrown.code === SERVER_GONE;
export const isCancellation = (thrown: unknown): boolean => thrown instanceof ServerError && thrown.code === CANCELLED;

/** Sends a request with a JSON body and returns the parsed answer. Throws a `ServerError`. */
export async function call<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
  return (await send(path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  })) as Reply;
}

export const post = <Reply>(path: string, body: unknown = {}): Promise<Reply> => call<Reply>("POST", path, body);
export const get = <Reply>(path: string): Promise<Reply> => call<Reply>("GET", path);

/** Sends a GET request that may take long. Aborting it also ends the work on the server. */
export async function getSlowly<Reply>(path: string, signal: AbortSignal): Promise<Reply> {
  return (await send(path, { signal })) as Reply;
}

/** Sends a POST request that may take long. Aborting it also ends the work on the server. */
export async function postSlowly<Reply>(path: string, body: object, signal: AbortSignal): Promise<Reply> {
  const headers = { "Content-Type": "application/json" };
  return (await send(path, { method: "POST", body: JSON.stringify(body), headers, signal })) as Reply;
}

/** An uploaded file: its path on the server, for fields of requests, and the token of its folder. */
export interface Uploaded {
  readonly file: string;
  readonly token: string;
}

/** Uploads a file. `beside` is the token of an earlier upload, whose folder is used. */
export async function upload(file: File, beside?: string): Promise<Uploaded> {
  const folder = beside === undefined ? "" : `&beside=${beside}`;
  const path = `/ui/upload/?name=${encodeURIComponent(file.name)}${folder}`;
  return (await send(path, { method: "POST", body: file })) as Uploaded;
}

async function send(path: string, request: RequestInit): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, request);
    text = await response.text();
  } catch {
    if (request.signal?.aborted) throw new ServerError(CANCELLED, "The request was cancelled.");
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
    throw new ServerError("UNKNOWN_FAILURE", `The answer with status ${status} is not JSON.`);
  }
}
