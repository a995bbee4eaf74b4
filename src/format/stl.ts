import type { Watch } from "../core/watch.ts";
import type { Surface } from "../mesh/mesh.ts";
import type { ModelReader } from "./reader.ts";
import type { Source } from "./source.ts";
import { readExactly, unreadable, withSource } from "./source.ts";
import { readAscii } from "./stl/read-ascii.ts";
import { FACET_BYTES, HEAD_BYTES, readBinary } from "./stl/read-binary.ts";

/** What an ASCII file starts with, after a byte-order mark or blanks. */
const ASCII_START = /^(\xef\xbb\xbf)?\s*solid\s/i;

/**
 * STL, binary and ASCII (3D Systems, 1989). A binary file may begin with "solid" too, but its number of facets has a
 * control byte among its four, up to 150 million facets at least. The format knows no unit.
 */
export const stlReader: ModelReader = {
  async read(file, _options, watch) {
    return withSource(file, (source) => {
      if (source.size === 0) throw unreadable(source, "it is empty; export the model again");
      const head = new Uint8Array(Math.min(source.size, HEAD_BYTES + FACET_BYTES));
      readExactly(source, head, 0);
      const part = isAscii(head) ? readAscii(source, watch) : { surface: readFacets(source, head, watch) };
      return { parts: [{ index: 0, ...part }] };
    });
  },
};

const isAscii = (head: Uint8Array): boolean =>
  ASCII_START.test(new TextDecoder("latin1").decode(head)) && !head.some(isControl);

/** Bytes that numbers have and text has not: blanks and line ends are text. */
const isControl = (byte: number): boolean => byte < 0x09 || (byte > 0x0d && byte < 0x20) || byte === 0x7f;

function readFacets(source: Source, head: Uint8Array, watch: Watch): Surface {
  if (head.length < HEAD_BYTES) {
    throw unreadable(source, "it is not an STL file, or was cut short; export the model again");
  }
  return readBinary(source, announcedFacets(head), watch);
}

const announcedFacets = (head: Uint8Array): number => new DataView(head.buffer, head.byteOffset).getUint32(80, true);
