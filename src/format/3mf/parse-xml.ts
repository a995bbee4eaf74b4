import { SaxesParser } from "saxes";
import type { Refuse } from "../../core/fault.ts";

/** Makes the fault to throw from what is wrong with a file. */

/** What is told of a document's elements, in their order. */
export interface XmlVisitor {
  /** Names as they are written, with their prefixes. */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
}

/** Deeper nesting is refused: the deepest of a real 3MF file is about ten. */
const MAX_DEPTH = 256;
/** Characters without an element's begin or end: those of one tag or comment are held in memory. */
const MAX_QUIET_CHARACTERS = 8 * 2 ** 20;

/**
 * Parses an XML document, UTF-8 or UTF-16, while its bytes come. `visitorFor` gets a `refuse` that tells the line.
 * Throws for a document that is not well-formed or has a DOCTYPE (core specification, section 2.3.3, forbids both).
 */
export async function parseXml(
  bytes: AsyncIterable<Uint8Array>,
  refuse: Refuse,
  visitorFor: (refuse: Refuse) => XmlVisitor,
): Promise<void> {
  const parser = new SaxesParser();
  const visitor = visitorFor((why) => refuse(`line ${parser.line}: ${why}`));
  let quietCharacters = 0;
  let depth = 0;
  parser.on("opentag", ({ name, attributes }) => {
    quietCharacters = 0;
    if (++depth > MAX_DEPTH) throw refuse(`its elements are nested deeper than ${MAX_DEPTH}`);
    visitor.open(name, attributes);
  });
  parser.on("closetag", ({ name }) => {
    quietCharacters = 0;
    depth--;
    visitor.close(name);
  });
  parser.on("doctype", () => {
    throw refuse("it has a DOCTYPE, which is forbidden");
  });
  parser.on("error", ({ message }) => {
    throw refuse(`it is no well-formed XML (${message})`);
  });
  for await (const text of decoded(bytes, refuse)) {
    quietCharacters += text.length;
    if (quietCharacters > MAX_QUIET_CHARACTERS) throw refuse("it has a tag, comment or text that is too long");
    parser.write(text);
  }
  parser.close();
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, refuse: Refuse): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  const decode = (chunk?: Uint8Array): string => {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw refuse(`it holds bytes that are no ${decoder.encoding.toUpperCase()} text`);
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

/** By the byte order mark; without one it is UTF-8. */
function encodingOf(start: Uint8Array = new Uint8Array()): "utf-8" | "utf-16le" | "utf-16be" {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  return "utf-8";
}
