import type { Endpoint, Request } from "../api/endpoint.ts";
import { type ApiError, excerpt, notFound } from "../core/api-error.ts";
import { runAtOnce } from "../core/steps.ts";
import { perform } from "../command/perform.ts";
import { findEndpoint } from "../command/steps-file.ts";
import { readRequest } from "../http/read-request.ts";
import type { Runner } from "../http/run-request.ts";
import { findScene } from "../scene/find.ts";
import type { Scene } from "../scene/project.ts";
import type { FarmAccess } from "./farm-access.ts";
import { Handles } from "./handles.ts";
import type { RootFolder } from "./root-folder.ts";

/** What the tools of one server share. */
export interface Workspace {
  readonly runner: Runner;
  readonly root: RootFolder;
  /** Handles of scenes: agents open, prepare and print plates. */
  readonly plates: Handles;
  /** Handles of models. */
  readonly parts: Handles;
  /** The farm of workers, where the user allowed it. */
  readonly farm?: FarmAccess | undefined;
}

export const newWorkspace = (runner: Runner, root: RootFolder, farm?: FarmAccess): Workspace => ({
  runner,
  root,
  plates: new Handles("plate"),
  parts: new Handles("part"),
  farm,
});

/** Hears how far a call is, 0 to 1, and what it does. */
export type OnProgress = (share: number, doing: string) => void;

/** One call of a tool: its requests to the endpoints of the HTTP interface, with progress and cancelling. */
export class ToolCall {
  readonly workspace: Workspace;
  readonly #signal: AbortSignal;
  readonly #onProgress: OnProgress;
  #requests = 1;
  #done = 0;

  constructor(workspace: Workspace, signal: AbortSignal, onProgress: OnProgress) {
    this.workspace = workspace;
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  /** Says how many requests the call will make, for its progress. */
  expect(requests: number): void {
    this.#requests = Math.max(requests, this.#done + 1);
  }

  /**
   * Carries out a request, named as in a steps file, such as `scene/prepare`, with the checks of the HTTP interface. Throws its errors, and
   * OPERATION_CANCELLED once the call is cancelled.
   */
  async request(name: string, body: object): Promise<any> {
    const endpoint = findEndpoint(name);
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    const { extensions } = this.workspace.runner.server.converters;
    const unparsed = { query: new URLSearchParams(), body: bytes, convertedExtensions: extensions };
    return this.run(endpoint, runAtOnce(readRequest(endpoint, unparsed)));
  }

  /** Carries out a request of an endpoint that may be internal. */
  async run(endpoint: Endpoint, request: Request): Promise<any> {
    const onShare = (share: number): void =>
      this.#onProgress(Math.min(1, (this.#done + share) / this.#requests), doing(endpoint));
    const interrupt = { signal: this.#signal, status: () => undefined };
    const answer = await perform(this.workspace.runner, endpoint, request, interrupt, onShare);
    this.#done++;
    return answer;
  }

  /** Takes back what requests of this call did, although it failed or was cancelled. */
  async undo(name: string, body: object): Promise<void> {
    await new ToolCall(this.workspace, new AbortController().signal, () => {}).request(name, body);
  }

  /** The id of the scene of a plate. Throws NOT_FOUND. */
  sceneId(plate: string): string {
    const { plates } = this.workspace;
    const id = plates.idOf(plate);
    if (id !== undefined) return id;
    throw unknown("plate", plate, plates.all(), "open_plate opens one");
  }

  /** The scene of a plate as it is now. Throws NOT_FOUND. */
  scene(plate: string): Scene {
    return findScene(this.workspace.runner.server.store.read(), this.sceneId(plate));
  }

  /** The ids of parts of a plate; undefined, which stands for all parts, without handles. Throws NOT_FOUND for an unknown one. */
  modelIds(plate: string, parts: readonly string[] | undefined): string[] | undefined {
    if (parts === undefined) return undefined;
    const present = new Set(this.scene(plate).models.map(({ id }) => id));
    return parts.map((part) => {
      const id = this.workspace.parts.idOf(part);
      if (id !== undefined && present.has(id)) return id;
      const known = [...present].map((one) => this.workspace.parts.of(one));
      throw unknown(`part on ${plate}`, part, known, "add_parts adds some");
    });
  }

  /** The handles of models. */
  partsOf(modelIds: readonly string[]): string[] {
    return modelIds.map((id) => this.workspace.parts.of(id));
  }
}

const doing = ({ path }: Endpoint): string => path.replace(/^\/v1\/|\/$/g, "");

/** Most handles in a message. */
const MAX_HANDLES = 20;

function unknown(kind: string, handle: string, known: readonly string[], wayOut: string): ApiError {
  const names = known.slice(0, MAX_HANDLES).join(", ");
  const more = known.length > MAX_HANDLES ? ` and ${known.length - MAX_HANDLES} more` : "";
  const choices = known.length === 0 ? `there is none: ${wayOut}` : `there are ${names}${more}`;
  return notFound(`"${excerpt(handle)}" is no ${kind}; ${choices}.`);
}
