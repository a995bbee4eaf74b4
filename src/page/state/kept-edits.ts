import type { EditStack } from "../action/support-edits.ts";

// Edits of supports that were not applied, in the memory of this tab of the browser, which survives a reload.

const KEY = "printwright.support-edits";

interface KeptEdits {
  readonly sceneId: string;
  readonly modelId: string;
  readonly copyIds: readonly string[];
  /** State of the server on which they are based. */
  readonly hash: string;
  readonly stack: EditStack;
}

/** The kept edits, if they are of this scene, part and state, as far as these are given. */
export function keptEdits(of: Partial<Pick<KeptEdits, "sceneId" | "modelId" | "hash">>): KeptEdits | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as KeptEdits | null;
    const { sceneId, modelId, hash } = of;
    const wanted = { sceneId, modelId, hash };
    const isOther = Object.entries(wanted).some(
      ([name, value]) => value !== undefined && kept?.[name as keyof typeof wanted] !== value,
    );
    return isOther ? undefined : (kept ?? undefined);
  } catch {
    // Nothing can be read, or another version of the page wrote it.
    return undefined;
  }
}

export function keepEdits({ sceneId, modelId, copyIds, hash }: Omit<KeptEdits, "stack">, stack: EditStack): void {
  if (stack.done.length + stack.undone.length === 0) return forgetEdits();
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ sceneId, modelId, copyIds, hash, stack } satisfies KeptEdits));
  } catch {
    // The memory is full: a reload will lose the edits.
    forgetEdits();
  }
}

export const forgetEdits = (): void => sessionStorage.removeItem(KEY);
