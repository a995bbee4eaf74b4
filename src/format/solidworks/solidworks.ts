import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import { type ErrorFactory, excerpt } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import { COMPOUND_SIGNATURE, compoundStreams } from "../../codec/compound-file.ts";
import { displayMeshWarning } from "../display-mesh.ts";
import { inflatedTo } from "../../codec/inflated-reader.ts";
import type { ModelReader } from "../model-reader.ts";
import { MAX_CAD_FILE_BYTES, claimModelBytes, claimModelSize } from "../model-size.ts";
import { findFaces, surfaceOfFaces } from "./display-lists.ts";
import { explode, isImploded } from "./explode.ts";
import { packageStreams } from "./package-streams.ts";

const MAX_LIST_BYTES = 1024 * 2 ** 20;
const METRE_MM = 1000;

/** Solidworks parts (`.sldprt`), by the display mesh of their active configuration. */
export const solidworksReader: ModelReader = {
  async read(file, _options, progress) {
    progress.report(0);
    const refuse: ErrorFactory = (why) => fileError("read", file, why);
    const whole = readWholeFile(file, MAX_CAD_FILE_BYTES, (size) => claimModelBytes(file, size));
    const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
    const claim = (size: number): void => claimModelBytes(file, whole.length + size);
    const isCompound = bytes.toString("hex", 0, 8) === COMPOUND_SIGNATURE;
    const lists = isCompound ? listsOfCompound(bytes, claim, refuse) : listsOfPackage(bytes, claim, refuse);
    if (lists?.buffer !== whole.buffer) releaseArrays(whole);
    if (!lists) throw refuse(`it holds no display mesh; ${ADVICE}`);
    const found = findFaces(lists, progress.part(0, 0.5));
    if (found.faces.length === 0) throw refuse(`it holds no solid or surface to display; ${ADVICE}`);
    claimModelSize(file, { facets: found.triangles, vertices: found.points, parts: 1 }, refuse);
    const surface = surfaceOfFaces(lists, found, progress.part(0.5, 1));
    // Small buffers share their memory with others.
    if (lists.buffer.byteLength > Buffer.poolSize) releaseArrays(lists);
    progress.report(1);
    return {
      parts: [{ index: 0, surface }],
      unitMm: METRE_MM,
      separateFaces: {},
      warnings: [displayMeshWarning("Solidworks")],
    };
  },
};

const ADVICE = "in Solidworks, rebuild it and save it with its display data, or save it as STEP AP214 or 3MF";

const LISTS = "Contents/DisplayLists";

/** The display lists of a file from about 2015 on. */
function listsOfPackage(bytes: Buffer, claim: (size: number) => void, refuse: ErrorFactory): Buffer | undefined {
  let isPackage = false;
  for (const { name, size, read } of packageStreams(bytes)) {
    isPackage = true;
    if (name !== LISTS || size > MAX_LIST_BYTES) continue;
    claim(size);
    const lists = read();
    if (lists) return lists;
  }
  if (!isPackage) throw refuse(`it is no Solidworks file, or it is damaged; ${ADVICE}`);
  return undefined;
}

/** After a signature of 16 bytes: inflated size, stored size, and zlib data. */
const ZLIB_HEAD_BYTES = 24;

/** The display lists of an older file: plain, or compressed in one of two ways, which the name of the stream shows. */
function listsOfCompound(bytes: Buffer, claim: (size: number) => void, refuse: ErrorFactory): Buffer | undefined {
  const stream = compoundStreams(bytes, refuse).find(({ path }) => path.startsWith(LISTS));
  if (!stream) return undefined;
  const { buffer, byteOffset, byteLength } = stream.read();
  const content = Buffer.from(buffer, byteOffset, byteLength);
  if (stream.path.endsWith("__ZLB") && content.length > ZLIB_HEAD_BYTES) {
    const size = Math.min(MAX_LIST_BYTES, content.readUInt32LE(16));
    const packed = content.subarray(ZLIB_HEAD_BYTES);
    claim(size);
    try {
      return inflateSync(packed, inflatedTo(size, packed));
    } catch {
      throw refuse(`its stream "${excerpt(stream.path)}" is damaged; ${ADVICE}`);
    }
  }
  if (!isImploded(content)) return content;
  // Imploded data do not state their size.
  const mostBytes = Math.min(MAX_LIST_BYTES, MAX_RATIO * content.length);
  claim(USUAL_RATIO * content.length);
  return Buffer.from(explode(content, mostBytes, refuse));
}

/** Most bytes per imploded byte: a copy of 518 bytes takes 23 bits with the length code, its extra bits and a distance. */
const MAX_RATIO = 256;
/** Compression ratio of display lists, measured. */
const USUAL_RATIO = 8;
