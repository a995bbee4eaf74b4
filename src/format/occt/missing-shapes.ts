/** A shape that a file places. */
export interface PlacedShape {
  readonly name: string;
  /** Number of its faces; undefined if unknown. */
  readonly faces: number | undefined;
  readonly uses: number;
}

/** A mesh that the kernel made of a shape. */
export interface MadeShape {
  readonly name: string;
  readonly faces: number;
}

export interface MissingShapes {
  /** Number of placed shapes without a mesh, by name. */
  readonly missing: ReadonlyMap<string, number>;
  /** Names of shapes whose meshes have fewer faces. */
  readonly incomplete: readonly string[];
  /** Number of meshes that match no shape. */
  readonly others: number;
}

/**
 * Finds the placed shapes without a mesh. Meshes do not name their shapes, so they are matched by the number of faces, first within
 * the same name; the remaining shapes and meshes are matched by size, the largest first.
 */
export function missingShapes(placed: readonly PlacedShape[], made: readonly MadeShape[]): MissingShapes {
  const left = new Map<string, number>();
  for (const mesh of made) left.set(keyOf(mesh), (left.get(keyOf(mesh)) ?? 0) + 1);
  const take = (key: string, wanted: number): number => {
    const taken = Math.min(wanted, left.get(key) ?? 0);
    if (taken > 0) left.set(key, left.get(key)! - taken);
    return wanted - taken;
  };
  const byName = placed.map((shape) => ({ ...shape, uses: take(keyOf(shape), shape.uses) }));
  const keysByFaces = Map.groupBy(new Set(made.map(keyOf)), facesOfKey);
  const byFaces = byName.map((shape) => {
    const keys = shape.uses === 0 ? [] : (keysByFaces.get(String(shape.faces)) ?? []);
    return { ...shape, uses: keys.reduce((uses, key) => take(key, uses), shape.uses) };
  });
  const rest = [...left]
    .flatMap(([key, count]) => (count === 0 ? [] : [{ faces: Number(facesOfKey(key)), count }]))
    .sort((a, b) => b.faces - a.faces);
  const missing = new Map<string, number>();
  const incomplete: string[] = [];
  for (const { name, faces = 0, uses } of byFaces.toSorted((a, b) => (b.faces ?? 0) - (a.faces ?? 0))) {
    let open = uses;
    while (open > 0 && rest.length > 0) {
      const taken = Math.min(open, rest[0].count);
      if (rest[0].faces < faces) incomplete.push(name);
      open -= taken;
      rest[0].count -= taken;
      if (rest[0].count === 0) rest.shift();
    }
    if (open > 0) missing.set(name, (missing.get(name) ?? 0) + open);
  }
  return { missing, incomplete, others: rest.reduce((sum, { count }) => sum + count, 0) };
}

const keyOf = ({ name, faces }: Pick<PlacedShape, "name" | "faces">): string => `${faces} ${name}`;
const facesOfKey = (key: string): string => key.slice(0, key.indexOf(" "));
