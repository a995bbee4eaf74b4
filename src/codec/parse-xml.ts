import { SaxesParser } from "saxes";
import type { ErrorFactory } from "../core/api-error.ts";

/** Receives the elements of a document in their order. */
export interface XmlVisitor {
  /** Names include their prefixes. */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  /** Text inside the element that was opened last and is not closed yet, in any number of pieces. */
  text?(text: string): void;
}

/** Deepest nesting of elements; real 3MF and AMF files have about ten levels. */
const MAX_DEPTH = 256;
/** Most characters between the tags of elements: the text of one tag or comment is held in memory. */
const MAX_CHARACTERS_BETWEEN_TAGS = 8 * 2 ** 20;

/**
 * Parses an XML document in UTF-8 or UTF-16 as its bytes arrive, and returns the visitor. `newVisitor` gets an error factory that adds the
 * current line; `refuse` gets the cause and, after a semicolon, the way out. Throws for a document that is not well-formed or has a DOCTYPE,
 * which the core specification of 3MF forbids (section 2.3.3).
 */
export async function parseXml<Visitor extends XmlVisitor>(
  bytes: AsyncIterable<Uint8Array>,
  refuse: ErrorFactory,
  newVisitor: (refuse: ErrorFactory) => Visitor,
): Promise<Visitor> {
  const parser = new SaxesParser();
  const visitor = newVisitor((why) => refuse(`line ${parser.line}: ${why}`));
  let charactersSinceTag = 0;
  let depth = 0;
  parser.on("opentag", ({ name, attributes }) => {
    charactersSinceTag = 0;
    if (++depth > MAX_DEPTH) throw refuse(`its elements are nested deeper than ${MAX_DEPTH}; export it again`);
    visitor.open(name, attributes);
  });
  parser.on("closetag", ({ name }) => {
    charactersSinceTag = 0;
    depth--;
    visitor.close(name);
  });
  if (visitor.text) parser.on("text", (text) => visitor.text?.(text));
  parser.on("doctype", () => {
    throw refuse("it has a DOCTYPE, which is forbidden; export it without it");
  });
  parser.on("error", ({ message }) => {
    throw refuse(`it is no well-formed XML (${message}); export it again`);
  });
  for await (const text of decoded(bytes, refuse)) {
    charactersSinceTag += text.length;
    if (charactersSinceTag > MAX_CHARACTERS_BETWEEN_TAGS)
      throw refuse("it has a tag, comment or text that is too long; export it again");
    parser.write(text);
  }
  parser.close();
  return visitor;
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, refuse: ErrorFactory): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  const decode = (chunk?: Uint8Array): string => {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw refuse(`it holds bytes that are no ${decoder.encoding.toUpperCase()} text; export it in UTF-8`);
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

/** The encoding by the byte order mark; UTF-8 without one. */
function encodingOf(start: Uint8Array = new Uint8Array()): "utf-8" | "utf-16le" | "utf-16be" {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  return "utf-8";
}
