import type { Refuse } from "../../core/fault.ts";
import type { ZipReader } from "../zip-reader.ts";
import { parseXml } from "./parse-xml.ts";

const RELATIONSHIPS = "_rels/.rels";
const MAX_RELATIONSHIPS_BYTES = 2 ** 20;
/** The relationship of a package to its model (core specification, appendix C). */
const START_PART = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel";

/** The name inside the archive of the model part that a 3MF package starts with. */
export async function findStartPart(zip: ZipReader, refuse: Refuse): Promise<string> {
  const relationships = findPart(zip, RELATIONSHIPS);
  if (relationships === undefined) throw refuse(`it is no 3MF file: ${RELATIONSHIPS} is missing; ${ADVICE}`);
  let target: string | undefined;
  const refuseHere: Refuse = (why) => refuse(`${RELATIONSHIPS}: ${why}; ${ADVICE}`);
  await parseXml(zip.chunks(relationships, MAX_RELATIONSHIPS_BYTES), refuseHere, () => ({
    open(name, { Type, Target }) {
      if (/(^|:)Relationship$/.test(name) && Type?.toLowerCase() === START_PART) target ??= Target;
    },
    close() {},
  }));
  if (target === undefined) throw refuse(`it names no 3D model in ${RELATIONSHIPS}; ${ADVICE}`);
  return resolvePart(zip, target, refuse);
}

/** The name inside the archive of the part that an absolute path of the package means. */
export function resolvePart(zip: ZipReader, path: string, refuse: Refuse): string {
  const part = findPart(zip, path);
  if (part === undefined) throw refuse(`${JSON.stringify(path)}, which it refers to, is missing; ${ADVICE}`);
  return part;
}

const ADVICE = "export it again as 3MF";

/** Part names are compared without case (OPC, section 6.2.2.3); writers differ in the leading slash and in escapes. */
function findPart(zip: ZipReader, path: string): string | undefined {
  const plain = path.replace(/^\//, "");
  if (zip.entries.has(plain)) return plain;
  const wanted = canonical(plain);
  return zip.entries.keys().find((name) => canonical(name) === wanted);
}

function canonical(name: string): string {
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}
