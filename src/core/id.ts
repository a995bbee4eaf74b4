import { randomUUID } from "node:crypto";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const newId = (): string => randomUUID();

/** A UUID in lower case without braces, from one in any case, with or without braces; undefined for anything else. */
export function parseId(text: string): string | undefined {
  const braced = text.startsWith("{") && text.endsWith("}");
  const bare = (braced ? text.slice(1, -1) : text).toLowerCase();
  return UUID.test(bare) ? bare : undefined;
}
