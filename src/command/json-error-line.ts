/** A token after white space (RFC 8259): a sign, a string, or another value. */
const TOKEN =
  /[ \t\r\n]*(?:([{}[\]:,])|("(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null))/uy;

/** The kinds of tokens that may begin a value: brackets, a (s)tring or another (v)alue. There are also (k)eys. */
const VALUE = "{[sv";

/** The 1-based line at which a text stops being JSON. For people who write JSON by hand: not all runtimes name the position. */
export function jsonErrorLine(text: string): number {
  const closers: string[] = [];
  const behindValue = (): string => (closers.length === 0 ? "" : `,${closers.at(-1)}`);
  let allowed = VALUE;
  let end = 0;
  for (;;) {
    TOKEN.lastIndex = end;
    const match = TOKEN.exec(text);
    if (!match) break;
    const [, sign, string] = match;
    const kind = sign ?? (string === undefined ? "v" : allowed.includes("k") ? "k" : "s");
    if (!allowed.includes(kind)) break;
    end = TOKEN.lastIndex;
    if (kind === "{") allowed = "k}";
    else if (kind === "[") allowed = `${VALUE}]`;
    else if (kind === ",") allowed = closers.at(-1) === "}" ? "k" : VALUE;
    else if (kind === ":") allowed = VALUE;
    else if (kind === "k") allowed = ":";
    if (kind === "{" || kind === "[") closers.push(kind === "{" ? "}" : "]");
    if (kind === "}" || kind === "]") closers.pop();
    if ("}]sv".includes(kind)) allowed = behindValue();
  }
  const rest = text.slice(end).trimStart();
  // Where a text ends too early, the error is after its last token.
  const place = rest === "" ? end : text.length - rest.length;
  return text.slice(0, place).split("\n").length;
}
