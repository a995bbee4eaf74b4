import { getCACertificates } from "node:tls";
import { lazy } from "./memoize.ts";

/** The certificates by which servers of other machines are trusted: those of the runtime, and those of the system. */
export const trustedCertificates = lazy(() => [
  ...new Set([...getCACertificates("default"), ...getCACertificates("system")]),
]);
