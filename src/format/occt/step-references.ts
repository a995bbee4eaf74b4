import { NOWHERE, type StepInstances, referencesOf } from "./step-instances.ts";

/** A reference to an instance of a kind that is not allowed there. */
export interface WrongReference {
  readonly by: number;
  readonly to: number;
}

/** Kinds of instances (ISO 10303-41 to -44), by their keywords. Other keywords are not checked. */
const KINDS: readonly (readonly [kind: string, keyword: RegExp])[] = [
  ["point", /^CARTESIAN_POINT$/],
  ["direction", /^DIRECTION$/],
  ["vector", /^VECTOR$/],
  ["placement", /^AXIS[12]_PLACEMENT(?:_[23]D)?$/],
  ["vertex", /^VERTEX_POINT$/],
  ["edge", /^(?:EDGE_CURVE|ORIENTED_EDGE|SUBEDGE)$/],
  ["loop", /^(?:EDGE|VERTEX|POLY)_LOOP$/],
  ["bound", /^FACE_(?:OUTER_)?BOUND$/],
  ["face", /^(?:ADVANCED_FACE|FACE_SURFACE|ORIENTED_FACE|SUBFACE)$/],
  ["shell", /^(?:ORIENTED_)?(?:CLOSED|OPEN)_SHELL$/],
  ["solid", /^(?:MANIFOLD_SOLID_BREP|BREP_WITH_VOIDS|FACETED_BREP)$/],
  ["curve", /^(?:LINE|CIRCLE|ELLIPSE|HYPERBOLA|PARABOLA|POLYLINE|\w+_CURVE(?:_2D|_3D|_WITH_KNOTS)?|PCURVE)$/],
  ["surface", /^(?:PLANE|SURFACE_OF_\w+|\w+_SURFACE(?:_WITH_KNOTS)?)$/],
  ["transformation", /^(?:ITEM_DEFINED_TRANSFORMATION|CARTESIAN_TRANSFORMATION_OPERATOR_3D)$/],
  ["product", /^PRODUCT$/],
  ["version", /^PRODUCT_DEFINITION_FORMATION\w*$/],
  ["definition", /^PRODUCT_DEFINITION(?:_WITH_ASSOCIATED_DOCUMENTS)?$/],
  ["use", /^NEXT_ASSEMBLY_USAGE_OCCURRENCE$/],
  ["shape", /^PRODUCT_DEFINITION_SHAPE$/],
  ["relation", /^(?:SHAPE_)?REPRESENTATION_RELATIONSHIP$/],
  ["context", /REPRESENTATION_CONTEXT$/],
  ["representation", /REPRESENTATION$/],
  ["note", /STYLE|COLOUR|MEASURE|_UNIT$|CONTEXT|DIMENSIONAL_EXPONENTS|CATEGORY|PERSON|DATE|APPROVAL|DOCUMENT|LAYER/],
];

/** The kinds to which the references of an instance may lead, in their order; the last entry applies to all that follow. */
const EXPECTED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  VECTOR: [["direction"]],
  LINE: [["point"], ["vector"]],
  CIRCLE: [["placement"]],
  ELLIPSE: [["placement"]],
  AXIS1_PLACEMENT: [["point"], ["direction"]],
  AXIS2_PLACEMENT_3D: [["point"], ["direction"]],
  B_SPLINE_CURVE: [["point"]],
  B_SPLINE_SURFACE: [["point"]],
  B_SPLINE_CURVE_WITH_KNOTS: [["point"]],
  B_SPLINE_SURFACE_WITH_KNOTS: [["point"]],
  PLANE: [["placement"]],
  CYLINDRICAL_SURFACE: [["placement"]],
  CONICAL_SURFACE: [["placement"]],
  SPHERICAL_SURFACE: [["placement"]],
  TOROIDAL_SURFACE: [["placement"]],
  SURFACE_OF_LINEAR_EXTRUSION: [["curve"], ["vector"]],
  SURFACE_OF_REVOLUTION: [["curve"], ["placement"]],
  VERTEX_POINT: [["point"]],
  EDGE_CURVE: [["vertex"], ["vertex"], ["curve"]],
  EDGE_LOOP: [["edge"]],
  FACE_BOUND: [["loop"]],
  FACE_OUTER_BOUND: [["loop"]],
  CLOSED_SHELL: [["face"]],
  OPEN_SHELL: [["face"]],
  MANIFOLD_SOLID_BREP: [["shell"]],
  BREP_WITH_VOIDS: [["shell"]],
  FACETED_BREP: [["shell"]],
  SHELL_BASED_SURFACE_MODEL: [["shell"]],
  ITEM_DEFINED_TRANSFORMATION: [["placement"]],
  PRODUCT_DEFINITION_FORMATION: [["product"]],
  PRODUCT_DEFINITION: [["version"], ["note"]],
  PRODUCT_DEFINITION_SHAPE: [["definition", "use"]],
  NEXT_ASSEMBLY_USAGE_OCCURRENCE: [["definition"]],
  SHAPE_DEFINITION_REPRESENTATION: [["shape"], ["representation"]],
  CONTEXT_DEPENDENT_SHAPE_REPRESENTATION: [["relation"], ["shape"]],
  SHAPE_REPRESENTATION_RELATIONSHIP: [["representation"]],
  REPRESENTATION_RELATIONSHIP: [["representation"], ["representation"], ["transformation"]],
};
/** Instances whose last reference leads to another kind than those before it. An empty list allows any kind. */
const ENDED: readonly {
  readonly keyword: RegExp;
  readonly others: readonly string[];
  readonly last: readonly string[];
}[] = [
  { keyword: /^(?:ADVANCED_FACE|FACE_SURFACE)$/, others: ["bound"], last: ["surface"] },
  { keyword: /^(?:\w+_)?SHAPE_REPRESENTATION$/, others: [], last: ["context"] },
];

/**
 * References of shapes and of the product structure to an instance of a kind that is not allowed there, in the order of the file.
 * `keywords` are those of the instances.
 */
export function wrongReferences(instances: StepInstances, keywords: readonly string[]): WrongReference[] {
  const kindOf = memo((keyword) => KINDS.find(([, pattern]) => pattern.test(keyword))?.[0]);
  const endedBy = memo((keyword) => ENDED.find((one) => one.keyword.test(keyword)));
  const wrong: WrongReference[] = [];
  for (const [by, keyword] of keywords.entries()) {
    const expected = EXPECTED[keyword];
    const ended = expected ? undefined : endedBy(keyword);
    if (!expected && !ended) continue;
    const references = referencesOf(instances, by);
    for (const [k, to] of references.entries()) {
      if (to === NOWHERE) continue;
      const kind = kindOf(keywords[to]);
      const isLast = k === references.length - 1;
      const allowed = ended?.[isLast ? "last" : "others"] ?? expected[Math.min(k, expected.length - 1)];
      if (kind !== undefined && allowed.length > 0 && !allowed.includes(kind)) wrong.push({ by, to });
    }
  }
  return wrong;
}

/** Memoizes `find` per keyword: a file has few different ones. */
function memo<T>(find: (keyword: string) => T): (keyword: string) => T {
  const known = new Map<string, T>();
  return (keyword) => {
    if (!known.has(keyword)) known.set(keyword, find(keyword));
    return known.get(keyword)!;
  };
}
