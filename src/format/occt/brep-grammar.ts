/**
 * Shapes that are neither the whole nor part of another shape. Programs write none, so that such a shape is a sign of a wrong
 * reference.
 */
export interface UnusedShapes {
  readonly solids: number;
  readonly shells: number;
  readonly faces: number;
}

/**
 * Checks that a text follows the grammar of OpenCASCADE's BREP files, versions 1 to 3 (its documentation, "BRep Format"), up to its
 * last shape: counts and indices match the content, numbers are finite, integers have 32 bits. OpenCASCADE checks none of this, and at
 * the end of a truncated file it reads forever. Undefined if the text breaks the grammar.
 */
export function scanBrepText(text: string): UnusedShapes | undefined {
  try {
    return new BrepScanner(text).scan();
  } catch (thrown) {
    if (thrown instanceof GrammarError) return undefined;
    throw thrown;
  }
}

class GrammarError extends Error {}

/** Number of coordinates of a line, circle, ellipse, parabola and hyperbola in the plane and in space, by type number from 1. */
const CURVE_2D_REALS = [4, 7, 8, 7, 8];
const CURVE_REALS = [6, 13, 14, 13, 14];
/** Number of coordinates of a plane, cylinder, cone, sphere and torus. */
const SURFACE_REALS = [12, 13, 14, 13, 14];
// The white space of C. JavaScript's has more characters, among them the byte 0xA0, at which OpenCASCADE hangs.
/** White space, then an integer of 32 bits, which a continuity may follow directly: 3C0. */
const INTEGER = /[\t-\r ]*([-+]?\d+)/y;
const REAL = /[\t-\r ]*([-+]?[\d.]+(?:[eE][-+]?\d+)?)(?=[\t-\r ])/y;
const WORD = /[\t-\r ]*([^\t-\r ]+)/y;
const CONTINUITY = /[\t-\r ]*([CG][0-3N])(?=[\t-\r ])/y;
const FLAGS = /[\t-\r ]*([01]{7})(?=[\t-\r ])/y;
const TRIANGULATION = /[\t-\r ]*2[\t-\r ]+\d+[\t-\r ]/y;
const SUB_SHAPE = /[\t-\r ]*([-+ie]\d+|\*)(?=[\t-\r ])/y;

class BrepScanner {
  readonly #text: string;
  #at = 0;
  #version = 1;
  #counts: Record<string, number> = {};
  /** Kind of each shape by its number; numbers count down from the number of shapes to 1. */
  readonly #kinds: string[] = [];
  readonly #used = new Set<number>();

  constructor(text: string) {
    this.#text = text;
  }

  scan(): UnusedShapes {
    const [, version] = this.#match(/[\t-\r ]*(?:DBRep_DrawableShape[\t-\r ]+)?CASCADE Topology V(\d)[^\n]*\n/y);
    this.#version = Number(version);
    this.#section("Locations", () => this.#location());
    this.#section("Curve2ds", () => this.#curve(CURVE_2D_REALS, 2));
    this.#section("Curves", () => this.#curve(CURVE_REALS, 3));
    this.#section("Polygon3D", () => this.#polygon());
    this.#section("PolygonOnTriangulations", () => this.#polygonOnTriangulation());
    this.#section("Surfaces", () => this.#surface());
    this.#section("Triangulations", () => this.#triangulation());
    this.#section("TShapes", (i) => this.#shape(i));
    this.#subShape(0);
    const unused = this.#kinds.filter((_, position) => !this.#used.has(this.#counts.TShapes - position));
    const count = (kind: string): number => unused.filter((one) => one === kind).length;
    return { solids: count("So"), shells: count("Sh"), faces: count("Fa") };
  }

  /** Reads the number of a sub-shape of shape `own`; false at the end of the list. */
  #subShape(own: number): boolean {
    const [, part] = this.#match(SUB_SHAPE);
    if (part === "*") return false;
    const number = Number(part.slice(1));
    if (number > this.#counts.TShapes || number <= own) throw new GrammarError();
    this.#used.add(number);
    return true;
  }

  /** Matches a sticky expression at the current position and moves to the end of the match. */
  #match(expression: RegExp): RegExpExecArray {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text);
    if (!found) throw new GrammarError();
    this.#at = expression.lastIndex;
    return found;
  }

  #isNext(expression: RegExp): boolean {
    expression.lastIndex = this.#at;
    return expression.test(this.#text);
  }

  #section(name: string, item: (index: number) => void): void {
    if (this.#match(WORD)[1] !== name) throw new GrammarError();
    this.#counts[name] = this.#count();
    for (let i = 0; i < this.#counts[name]; i++) item(i);
  }

  #integer(): number {
    const value = Number(this.#match(INTEGER)[1]);
    if (value !== (value | 0)) throw new GrammarError();
    return value;
  }

  #count(): number {
    const value = this.#integer();
    if (value < 0) throw new GrammarError();
    return value;
  }

  /** An index into a section, from 1; 0 means none, if `least` allows it. */
  #index(section: string, least = 1): void {
    const value = this.#integer();
    if (value < least || value > this.#counts[section]) throw new GrammarError();
  }

  #reals(count: number): void {
    for (let i = 0; i < count; i++) if (!Number.isFinite(Number(this.#match(REAL)[1]))) throw new GrammarError();
  }

  #location(): void {
    if (this.#integer() === 1) return this.#reals(12);
    while (this.#integer() !== 0) this.#integer();
  }

  #curve(reals: readonly number[], dimension: number): void {
    let type = this.#integer();
    // Trimmed and offset curves contain another curve.
    for (; type === 8 || type === 9; type = this.#integer()) this.#reals(type === 8 ? 2 : dimension === 2 ? 1 : 4);
    if (type >= 1 && type <= 5) this.#reals(reals[type - 1]);
    else this.#spline(type, dimension);
  }

  /** A Bézier curve (6) or a B-spline (7). */
  #spline(type: number, dimension: number): void {
    if (type !== 6 && type !== 7) throw new GrammarError();
    const width = dimension + this.#count();
    if (type === 6) return this.#reals(width * (this.#count() + 1));
    this.#count();
    this.#count();
    const [poles, knots] = [this.#count(), this.#count()];
    this.#reals(width * poles);
    this.#knots(knots);
  }

  #knots(count: number): void {
    for (let i = 0; i < count; i++) {
      this.#reals(1);
      this.#count();
    }
  }

  #surface(): void {
    let type = this.#integer();
    // Trimmed and offset surfaces contain another surface.
    for (; type === 10 || type === 11; type = this.#integer()) this.#reals(type === 10 ? 4 : 1);
    if (type >= 1 && type <= 5) return this.#reals(SURFACE_REALS[type - 1]);
    if (type === 6 || type === 7) {
      this.#reals(type === 6 ? 3 : 6);
      return this.#curve(CURVE_REALS, 3);
    }
    if (type !== 8 && type !== 9) throw new GrammarError();
    const width = 3 + Math.max(this.#count(), this.#count());
    if (type === 8) return this.#reals(width * (this.#count() + 1) * (this.#count() + 1));
    for (let i = 0; i < 4; i++) this.#count();
    const [polesU, polesV, knotsU, knotsV] = [this.#count(), this.#count(), this.#count(), this.#count()];
    this.#reals(width * polesU * polesV);
    this.#knots(knotsU + knotsV);
  }

  #polygon(): void {
    const [nodes, hasParameters] = [this.#count(), this.#count()];
    this.#reals(1 + 3 * nodes + hasParameters * nodes);
  }

  #polygonOnTriangulation(): void {
    const nodes = this.#count();
    for (let i = 0; i < nodes; i++) this.#count();
    if (this.#match(WORD)[1] !== "p") throw new GrammarError();
    this.#reals(1);
    this.#reals(this.#count() * nodes);
  }

  #triangulation(): void {
    const [nodes, triangles, hasUv] = [this.#count(), this.#count(), this.#count()];
    const hasNormals = this.#version >= 3 ? this.#count() : 0;
    this.#reals(1 + (3 + 2 * hasUv) * nodes);
    for (let i = 0; i < 3 * triangles; i++) if (this.#count() > nodes) throw new GrammarError();
    this.#reals(3 * hasNormals * nodes);
  }

  /** Shapes are numbered from the last to the first; each refers to earlier ones in the text. */
  #shape(position: number): void {
    const [, kind] = this.#match(WORD);
    if (kind === "Ve") this.#vertex();
    else if (kind === "Ed") this.#edge();
    else if (kind === "Fa") this.#face();
    else if (!["Wi", "Sh", "So", "CS", "Co"].includes(kind)) throw new GrammarError();
    this.#match(FLAGS);
    this.#kinds.push(kind);
    while (this.#subShape(this.#counts.TShapes - position)) this.#index("Locations", 0);
  }

  #vertex(): void {
    this.#reals(5);
    for (let type = this.#integer(); type !== 0; type = this.#integer()) {
      if (type === 1) this.#index("Curves");
      else if (type === 2) this.#index("Curve2ds");
      else if (type === 3) this.#reals(1);
      else throw new GrammarError();
      if (type > 1) this.#index("Surfaces");
      this.#index("Locations", 0);
      this.#reals(1);
    }
  }

  #edge(): void {
    this.#reals(1);
    for (let i = 0; i < 3; i++) this.#count();
    for (let type = this.#integer(); type !== 0; type = this.#integer()) this.#edgeForm(type);
  }

  #edgeForm(type: number): void {
    if (type === 1) this.#index("Curves", 0);
    else if (type === 2 || type === 3) {
      this.#index("Curve2ds");
      if (type === 3) {
        this.#index("Curve2ds");
        this.#match(CONTINUITY);
      }
      this.#index("Surfaces");
    } else if (type === 4) {
      this.#match(CONTINUITY);
      this.#index("Surfaces");
      this.#index("Locations", 0);
      this.#index("Surfaces");
    } else if (type === 5) this.#index("Polygon3D");
    else if (type === 6 || type === 7) {
      for (let i = 5; i < type; i++) this.#index("PolygonOnTriangulations");
      this.#index("Triangulations");
    } else throw new GrammarError();
    this.#index("Locations", 0);
    if (type <= 3) this.#reals(2);
    if ((type === 2 || type === 3) && this.#version === 2) this.#reals(4);
  }

  #face(): void {
    this.#count();
    this.#reals(1);
    this.#index("Surfaces", 0);
    this.#index("Locations", 0);
    if (!this.#isNext(TRIANGULATION)) return;
    this.#integer();
    this.#index("Triangulations");
  }
}
