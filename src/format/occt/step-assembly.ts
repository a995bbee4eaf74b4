import { Buffer } from "node:buffer";
import { IDENTITY_TRANSFORM, type Transform, compose } from "../../geometry/transform.ts";
import { type Vec3, cross, dot, subtract, times, unitOrZero } from "../../geometry/vector.ts";
import { requirePartCount } from "../model-size.ts";

/** A product whose shape is in another STEP file. */
export interface ExternalPart {
  /** The id of the product's definition: `#12`. */
  readonly product: string;
  /** The path as the assembly states it, with slashes. */
  readonly path: string;
  /** Name of the product; empty if it has none. */
  readonly name: string;
  /** Placement in units of the assembly. */
  readonly placement: Transform;
}

/** A file that refers to others contains the structure, and little else. */
const MAX_STRUCTURE_BYTES = 64 * 2 ** 20;
const MAX_DEPTH = 64;

const STEP_FILE = /\.(?:step|stp|p21)$/i;
/** Documents that describe a product and contain no shape of it. */
const PAPERS = /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|txt|rtf|csv|html?|xml|json|jpe?g|png|gif|bmp|tiff?|svg|mp4|zip)$/i;

/** Instances of the file by their ids, without line ends. */
type Instances = ReadonlyMap<string, string>;

/**
 * The parts of an assembly that are in other files (ISO 10303-44 and the recommended practice of the CAx Implementor Forum for external
 * references), once for each use in the structure. Empty for a file with all of its shapes.
 */
export function externalParts(file: Uint8Array): ExternalPart[] {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length > MAX_STRUCTURE_BYTES || !bytes.includes("DOCUMENT_FILE")) return [];
  const instances = instancesOf(bytes.toString("latin1"));
  const files = filesByProduct(instances);
  if (files.size === 0) return [];
  const uses = usesByProduct(instances);
  const used = new Set([...uses.values()].flat().map(({ product }) => product));
  const leading = productsAbove(new Set(files.keys()), uses);
  const parts: ExternalPart[] = [];
  function visit(product: string, placement: Transform, within: readonly string[]): void {
    // Products that lead to no file may multiply without limit.
    if (!leading.has(product) || within.includes(product) || within.length > MAX_DEPTH) return;
    const inside = uses.get(product) ?? [];
    const path = files.get(product);
    // Documents are products as well, but belong to no other product: their own files contain no parts.
    const isPart = path !== undefined && (within.length > 0 || STEP_FILE.test(path));
    if (isPart && inside.length === 0) parts.push({ product, path, name: productName(instances, product), placement });
    requirePartCount(parts.length);
    for (const use of inside) visit(use.product, compose(use.placement, placement), [...within, product]);
  }
  for (const root of new Set([...uses.keys(), ...files.keys()]))
    if (!used.has(root)) visit(root, IDENTITY_TRANSFORM, []);
  return parts;
}

/** The given products, and all products that contain them. */
function productsAbove(products: ReadonlySet<string>, uses: ReadonlyMap<string, readonly Use[]>): ReadonlySet<string> {
  const wholes = Map.groupBy(
    [...uses].flatMap(([whole, inside]) => inside.map(({ product }) => ({ whole, product }))),
    ({ product }) => product,
  );
  const above = new Set(products);
  // Iteration over a set includes elements that are added during it.
  for (const product of above) for (const { whole } of wholes.get(product) ?? []) above.add(whole);
  return above;
}

const instancesOf = (text: string): Instances =>
  new Map(
    [...text.matchAll(/(#\d+)\s*=\s*((?:'[^']*'|[^;'])*);/g)].map(([, id, value]) => [
      id,
      value.replaceAll(/[\r\n]+\s*/g, ""),
    ]),
  );

/** Instances of an entity, by itself, with their arguments. */
function all(instances: Instances, keyword: string): (readonly [id: string, values: readonly string[]])[] {
  const start = new RegExp(`^${keyword} ?\\(`);
  return [...instances].flatMap(([id, text]) => (start.test(text) ? [[id, valuesOf(text, keyword)] as const] : []));
}

/** The arguments of an entity, alone or in a complex instance; empty if it is missing. */
function valuesOf(text: string, keyword: string): string[] {
  const [, inner] = new RegExp(`(?<![A-Z_])${keyword} ?\\((.*)$`).exec(text) ?? [];
  if (inner === undefined) return [];
  const values = [""];
  let depth = 0;
  for (const [token] of inner.matchAll(/'(?:[^']|'')*'|[^']/g)) {
    if (token === ")" && depth-- === 0) break;
    if (token === "(") depth++;
    if (token === "," && depth === 0) values.push("");
    else values[values.length - 1] += token;
  }
  return values.map((value) => value.trim());
}

const idsIn = (value = ""): string[] => value.match(/#\d+/g) ?? [];
const stringIn = (value = ""): string => /^'(.*)'$/.exec(value)?.[1].replaceAll("''", "'").trim() ?? "";

function productName(instances: Instances, definition: string): string {
  const [, , formation = ""] = valuesOf(instances.get(definition) ?? "", "PRODUCT_DEFINITION(?:_WITH_\\w+)?");
  const [, , product = ""] = valuesOf(instances.get(formation) ?? "", "PRODUCT_DEFINITION_FORMATION(?:_WITH_\\w+)?");
  const [id, name] = valuesOf(instances.get(product) ?? "", "PRODUCT").map(stringIn);
  return name || id || "";
}

/** The name of a product, by the id of its definition; that id if it has none. */
export function nameOfProduct(file: Uint8Array, definition: string): string {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length > MAX_STRUCTURE_BYTES) return definition;
  return productName(instancesOf(bytes.toString("latin1")), definition) || definition;
}

/** The files of products that have no shape in this file. */
function filesByProduct(instances: Instances): ReadonlyMap<string, string> {
  const documents = new Map(
    [...instances]
      .filter(([, text]) => text.includes("DOCUMENT_FILE"))
      .map(([id, text]) => [id, stringIn(valuesOf(text, "DOCUMENT_FILE")[0])]),
  );
  for (const [, [name, , , items]] of all(instances, "APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT")) {
    for (const id of idsIn(items)) if (documents.has(id) && stringIn(name) !== "") documents.set(id, stringIn(name));
  }
  const references = [
    ...all(instances, "APPLIED_DOCUMENT_REFERENCE").map(
      ([, [document, , items]]) => [idsIn(items), [document]] as const,
    ),
    ...all(instances, "PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS").map(
      ([id, values]) => [[id], idsIn(values[4])] as const,
    ),
  ];
  const shaped = productsWithShape(instances);
  const definitions = all(instances, "PRODUCT_DEFINITION");
  const files = new Map<string, string>();
  for (const [items, ids] of references) {
    const names = ids.map((id) => documents.get(id)?.replaceAll("\\", "/") ?? "");
    const path = names.find((name) => STEP_FILE.test(name)) ?? names.find((name) => name !== "" && !PAPERS.test(name));
    // A reference may name the version of a product in place of its definition.
    const products = items.flatMap((item) => [
      item,
      ...definitions.filter(([, values]) => values[2] === item).map(([id]) => id),
    ]);
    for (const id of products) {
      const isBetter = !files.has(id) || !STEP_FILE.test(files.get(id)!);
      if (path !== undefined && !shaped.has(id) && isBetter) files.set(id, path);
    }
  }
  return files;
}

/** Products whose representations contain more than placements: a document of such a product is another form of the same shape. */
function productsWithShape(instances: Instances): ReadonlySet<string> {
  const related = Map.groupBy(
    all(instances, "SHAPE_REPRESENTATION_RELATIONSHIP").flatMap(([, [, , a, b]]) => [[a, b] as const, [b, a] as const]),
    ([from]) => from,
  );
  const isEmpty = (id: string): boolean => instances.get(id)?.startsWith("SHAPE_REPRESENTATION") ?? true;
  const shaped = all(instances, "SHAPE_DEFINITION_REPRESENTATION").filter(
    ([, [, representation]]) =>
      !isEmpty(representation) || (related.get(representation) ?? []).some(([, other]) => !isEmpty(other)),
  );
  return new Set(shaped.map(([, [shape]]) => definitionOf(instances, shape)));
}

/** The product or use that a shape belongs to. */
const definitionOf = (instances: Instances, shape: string): string =>
  valuesOf(instances.get(shape) ?? "", "PRODUCT_DEFINITION_SHAPE")[2] ?? "";

interface Use {
  readonly product: string;
  readonly placement: Transform;
}

/** The components of each product. */
function usesByProduct(instances: Instances): ReadonlyMap<string, readonly Use[]> {
  const representations = Map.groupBy(all(instances, "SHAPE_DEFINITION_REPRESENTATION"), ([, [shape]]) =>
    definitionOf(instances, shape),
  );
  const relations = new Map(
    all(instances, "CONTEXT_DEPENDENT_SHAPE_REPRESENTATION").map(([, [relation, shape]]) => [
      definitionOf(instances, shape),
      instances.get(relation) ?? "",
    ]),
  );
  const uses = all(instances, "NEXT_ASSEMBLY_USAGE_OCCURRENCE").map(([id, [, , , whole, product]]) => {
    const relation = relations.get(id) ?? "";
    const [, , first] = valuesOf(relation, "REPRESENTATION_RELATIONSHIP");
    const [transformation = ""] = valuesOf(relation, "REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION");
    const [, , from, to] = valuesOf(instances.get(transformation) ?? "", "ITEM_DEFINED_TRANSFORMATION");
    // Some programs give the representation of the whole first.
    const isSwapped = (representations.get(whole) ?? []).some(([, [, representation]]) => representation === first);
    const [inPart, inWhole] = (isSwapped ? [to, from] : [from, to]).map((axes) => frameOf(instances, axes));
    return { whole, product, placement: compose(inverse(inPart), inWhole) };
  });
  return Map.groupBy(uses, ({ whole }) => whole);
}

/** The transform from an AXIS2_PLACEMENT_3D to the space around it. */
function frameOf(instances: Instances, axes = ""): Transform {
  const [, location, axis, reference] = valuesOf(instances.get(axes) ?? "", "AXIS2_PLACEMENT_3D");
  const origin = vectorOf(instances, location, "CARTESIAN_POINT") ?? [0, 0, 0];
  const z = unitOrZero(vectorOf(instances, axis, "DIRECTION") ?? [0, 0, 1]);
  const towards = vectorOf(instances, reference, "DIRECTION") ?? (Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]);
  const x = unitOrZero(subtract(towards, times(z, dot(towards, z))));
  return [...x, ...cross(z, x), ...z, ...origin];
}

function vectorOf(instances: Instances, id = "", keyword: string): Vec3 | undefined {
  const [, list] = valuesOf(instances.get(id) ?? "", keyword);
  const numbers = (list ?? "").replaceAll(/[()]/g, "").split(",").map(Number);
  return numbers.length === 3 && numbers.every(Number.isFinite) ? (numbers as unknown as Vec3) : undefined;
}

/** The inverse of a transform that only rotates and translates. */
function inverse([a, b, c, d, e, f, g, h, i, x, y, z]: Transform): Transform {
  const back = (p: number, q: number, r: number): number => -(x * p + y * q + z * r);
  return [a, d, g, b, e, h, c, f, i, back(a, b, c), back(d, e, f), back(g, h, i)];
}
