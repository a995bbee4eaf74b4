import { notFound } from "../core/api-error.ts";
import type { App, RawRequest } from "../http/app.ts";
import { PAGE_FILES, type PageFileName, pageDocument, pageFile, unpackPageFile } from "./page-files.ts";

/**
 * The page may load its own files and pictures that it makes itself (`blob:`, textures of layers). It sets styles through the CSS object
 * model, which the policy permits. No other page may show it in a frame (clickjacking).
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' blob: data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SECURITY_HEADERS = {
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

const FOR_GOOD = "public, max-age=31536000, immutable";

const NOT_BUILT =
  "The page was not built: run `bun run page` and start again, or use the executable that `bun run build` makes.";

/** Adds the routes of the page. `GET /` redirects browsers to the page; other clients get the same answer as without a page. */
export function addPage(app: App): void {
  app.use("/", async (context, next) => {
    if (wantsHtml(context.env)) context.res = context.redirect("/ui/", 302);
    else await next();
    context.header("Vary", "Accept", { append: true });
  });
  app.get("/ui", () => {
    const html = pageDocument();
    if (html === undefined) throw notFound(NOT_BUILT);
    return new Response(html, {
      headers: { ...SECURITY_HEADERS, "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache" },
    });
  });
  for (const name of PAGE_FILES) {
    app.get(`/ui/${name}`, ({ env, req }) => fileResponse(env, new URL(req.url).search, name));
  }
}

/** Whether a browser asks: only browsers list text/html; programs accept any type, or JSON. */
const wantsHtml = ({ headers: { accept = "" } }: RawRequest): boolean => listed(accept).includes("text/html");

/** Values of a comma-separated header, without their parameters. */
const listed = (header: string): string[] =>
  header.split(",").map((entry) => entry.replace(/;.*/s, "").trim().toLowerCase());

function fileResponse({ headers: asked }: RawRequest, search: string, name: PageFileName): Response {
  const file = pageFile(name);
  if (!file) throw notFound(NOT_BUILT);
  const etag = `"${file.hash}"`;
  const headers = {
    ...SECURITY_HEADERS,
    "Content-Type": file.type,
    "Cache-Control": search === `?${file.hash}` ? FOR_GOOD : "no-cache",
    ETag: etag,
    Vary: "Accept-Encoding",
  };
  if (asked["if-none-match"]?.includes(etag)) return new Response(null, { status: 304, headers });
  const encodings = listed(asked["accept-encoding"]?.toString() ?? "");
  const encoding = (["br", "gzip"] as const).find((one) => encodings.includes(one));
  if (encoding === undefined) return new Response(unpackPageFile(file), { headers });
  return new Response(file.encoded[encoding], { headers: { ...headers, "Content-Encoding": encoding } });
}
