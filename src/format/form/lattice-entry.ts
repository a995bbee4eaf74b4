import * as v from "valibot";
import type { ErrorFactory } from "../../core/api-error.ts";
import { parseJson } from "../../core/json.ts";
import type { Latticed, Mesh, StrutLattice } from "../../mesh/mesh.ts";
import { MAX_CAP_CODE } from "../../mesh/strut-lattice.ts";

// The end of the entry of a mesh that stands in for lattices: the length of a JSON text (u32), the text, and the arrays whose lengths it
// states, in its order. The text and each array end with zeros up to a multiple of four bytes.

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const solid = v.strictObject({ vertices: count, triangles: count });
const HeaderSchema = v.strictObject({
  volume_mm3: v.pipe(v.number(), v.finite(), v.minValue(0)),
  skin: v.optional(solid),
  lattices: v.array(
    v.strictObject({
      vertices: count,
      struts: count,
      radii: count,
      caps: count,
      balls: count,
      ball_radii: count,
      transform: v.pipe(v.array(v.pipe(v.number(), v.finite())), v.length(12)),
      clip: v.optional(v.strictObject({ ...solid.entries, keeps: v.picklist(["inside", "outside"]) })),
    }),
  ),
});
const HEADER_DEPTH = 8;

type Numbers = Float32Array | Uint32Array | Uint8Array;

/** The end of the entry of a mesh. */
export function latticePieces({ lattices, skin }: Latticed, volumeMm3: number): Uint8Array[] {
  const countsOf = ({ vertices, triangles }: Mesh) => ({ vertices: vertices.length, triangles: triangles.length });
  const header: v.InferOutput<typeof HeaderSchema> = {
    volume_mm3: volumeMm3,
    ...(skin && { skin: countsOf(skin) }),
    lattices: lattices.map((lattice) => ({
      vertices: lattice.vertices.length,
      struts: lattice.struts.length,
      radii: lattice.radii.length,
      caps: lattice.caps.length,
      balls: lattice.balls.length,
      ball_radii: lattice.ballRadii.length,
      transform: [...lattice.transform],
      ...(lattice.clip && { clip: { ...countsOf(lattice.clip.mesh), keeps: lattice.clip.keeps } }),
    })),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const arrays: Numbers[] = skin ? [skin.vertices, skin.triangles] : [];
  for (const { vertices, struts, radii, caps, balls, ballRadii, clip } of lattices) {
    arrays.push(vertices, struts, radii, caps, balls, ballRadii);
    if (clip) arrays.push(clip.mesh.vertices, clip.mesh.triangles);
  }
  return [Uint32Array.of(text.length), text, ...arrays].flatMap((array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    return [bytes, new Uint8Array(-bytes.length & 3)].filter(({ length }) => length > 0);
  });
}

/**
 * The lattices at `at` of the bytes of an entry, to their end, and the volume of the whole. `toMesh` checks the triangles of a solid. Nothing
 * is trusted.
 */
export function parseLattices(
  bytes: Uint8Array<SharedArrayBuffer>,
  at: number,
  toMesh: (surface: Pick<Mesh, "vertices" | "triangles">) => Mesh,
  refuse: ErrorFactory,
): { readonly latticed: Latticed; readonly volumeMm3: number } {
  let next = at;
  const take = <T extends Numbers>(
    kind: new (buffer: SharedArrayBuffer, at: number, n: number) => T,
    length: number,
  ) => {
    const size = kind as unknown as { readonly BYTES_PER_ELEMENT: number };
    const end = next + size.BYTES_PER_ELEMENT * length;
    if (end > bytes.length) throw refuse("its lattices are longer than the entry");
    const array = new kind(bytes.buffer, bytes.byteOffset + next, length);
    next = (end + 3) & ~3;
    return array;
  };
  const text = take(Uint8Array, take(Uint32Array, 1)[0]);
  const header = v.safeParse(HeaderSchema, parseHeader(text, refuse));
  if (!header.success) throw refuse(`its lattices are not described as they should be: ${header.issues[0].message}`);
  const { volume_mm3, skin, lattices } = header.output;
  const takeSolid = (counts: v.InferOutput<typeof solid>): Mesh => {
    const vertices = take(Float32Array, counts.vertices);
    return toMesh({ vertices, triangles: take(Uint32Array, counts.triangles) });
  };
  const ownSkin = skin && takeSolid(skin);
  const read = lattices.map(({ transform, clip, ...lengths }): StrutLattice => {
    const lattice = {
      vertices: take(Float32Array, lengths.vertices),
      struts: take(Uint32Array, lengths.struts),
      radii: take(Float32Array, lengths.radii),
      caps: take(Uint8Array, lengths.caps),
      balls: take(Uint32Array, lengths.balls),
      ballRadii: take(Float32Array, lengths.ball_radii),
      transform,
    };
    requireSound(lattice, refuse);
    return { ...lattice, ...(clip && { clip: { keeps: clip.keeps, mesh: takeSolid(clip) } }) };
  });
  if (next !== bytes.length || read.length === 0) throw refuse("it has more bytes than its lattices");
  return { latticed: { lattices: read, skin: ownSkin }, volumeMm3: volume_mm3 };
}

function parseHeader(text: Uint8Array, refuse: ErrorFactory): unknown {
  try {
    return parseJson(text.slice(), HEADER_DEPTH);
  } catch (thrown) {
    throw refuse(`its lattices are damaged: ${(thrown as Error).message}`);
  }
}

/** Throws for a lattice that layers could not be drawn of. */
function requireSound(lattice: StrutLattice, refuse: ErrorFactory): void {
  const { vertices, struts, radii, caps, balls, ballRadii } = lattice;
  const count = struts.length / 2;
  const isVertex = (vertex: number): boolean => 3 * vertex + 2 < vertices.length;
  const isSound =
    vertices.every(Number.isFinite) &&
    vertices.length % 3 === 0 &&
    struts.length % 2 === 0 &&
    (radii.length === 1 || radii.length === struts.length) &&
    (caps.length === 1 || caps.length === count) &&
    (ballRadii.length === 1 || ballRadii.length === balls.length) &&
    struts.every(isVertex) &&
    balls.every(isVertex) &&
    [radii, ballRadii].every((values) => values.every((radius) => radius >= 0 && radius < Infinity)) &&
    caps.every((code) => code <= MAX_CAP_CODE);
  if (!isSound) throw refuse("one of its lattices is not sound");
}
