/** A list or object with at least this many entries is serialised in pieces. */
const LARGE_ENTRIES = 64;

/** Levels of a value that are searched for large lists: the scenes of an answer, each with its models. */
const MAX_LEVELS = 4;

/** Characters of a piece. Making one takes less than a millisecond. */
const PIECE_LENGTH = 1 << 16;

/** The response for a JSON value. A large value is streamed: its text is made piece by piece, as fast as the client reads it. */
export function jsonResponse(value: unknown): Response {
  if (!isLarge(value, MAX_LEVELS)) return Response.json(value);
  const pieces = joined(textsOf(value, MAX_LEVELS));
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value: piece } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(Buffer.from(piece));
    },
  });
  return new Response(stream, { headers: { "Content-Type": "application/json", "Transfer-Encoding": "chunked" } });
}

function isLarge(value: unknown, levels: number): value is object {
  if (levels === 0 || typeof value !== "object" || value === null) return false;
  const entries = Object.values(value);
  return entries.length >= LARGE_ENTRIES || entries.some((one) => isLarge(one, levels - 1));
}

/** Texts that together are the JSON of a value. Small parts of the value are one text each. */
function* textsOf(value: unknown, levels: number): Generator<string, void> {
  if (!isLarge(value, levels)) {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  let separator = isList ? "[" : "{";
  for (const [key, one] of Object.entries(value)) {
    if (one === undefined) continue;
    yield isList ? separator : `${separator}${JSON.stringify(key)}:`;
    yield* textsOf(one, levels - 1);
    separator = ",";
  }
  yield isList ? "]" : "}";
}

/** Joins short texts to longer ones. */
function* joined(texts: Iterable<string>): Generator<string, void> {
  let piece = "";
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}
