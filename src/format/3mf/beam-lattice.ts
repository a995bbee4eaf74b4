import type { ErrorFactory } from "../../core/api-error.ts";
import { growArray } from "../../core/typed-arrays.ts";
import type { LatticeClip } from "../../mesh/mesh.ts";
import { CAPS, type Cap, capCode } from "../../mesh/strut-lattice.ts";
import { found, quoted, toIndex, toNumber } from "../../codec/xml-numbers.ts";

/** Namespaces of the beam lattice extension 1.2, and of the balls in it. */
export const BEAMS = "http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02";
export const BALLS = "http://schemas.microsoft.com/3dmanufacturing/beamlattice/balls/2020/07";

/** A beam lattice as the file has it: vertices of its mesh, lengths in the unit of the file. */
export interface ObjectLattice {
  /** The two vertices of each beam. */
  readonly beams: Uint32Array;
  /** The radii of the two ends of each beam, or one for all. */
  readonly radii: Float32Array;
  readonly caps: Uint8Array;
  readonly balls: Uint32Array;
  readonly ballRadii: Float32Array;
  readonly clip?: { readonly objectId: number; readonly keeps: LatticeClip["keeps"] } | undefined;
}

/** Far more than files have, whose text is limited too: a beam takes at least 20 bytes of it. */
export const MAX_BEAMS = 100_000_000;
const BALL_MODES = ["none", "mixed", "all"];
const CLIPPING_MODES = ["none", "inside", "outside"];

type Attributes = Readonly<Record<string, string>>;

/** An attribute by its name without a prefix: those of balls are in another namespace. */
function attribute(attributes: Attributes, name: string): string | undefined {
  if (name in attributes) return attributes[name];
  const key = Object.keys(attributes).find((one) => one.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}

/** Reads a beam lattice element by element. `refuse` adds the line; `vertices` are those of the mesh, before the lattice. */
export class BeamLatticeBuilder {
  readonly #refuse: ErrorFactory;
  readonly #vertices: (vertex: number) => readonly [number, number, number];
  readonly #vertexCount: number;
  readonly #minLength: number;
  readonly #radius: number;
  readonly #cap: Cap;
  readonly #ballMode: string;
  readonly #ballRadius: number;
  readonly #clip: ObjectLattice["clip"];
  #count = 0;
  #beams = new Uint32Array(16);
  /** Empty as long as all beams have the radius of the lattice. */
  #radii = new Float32Array(0);
  #caps = new Uint8Array(0);
  #ballCount = 0;
  #balls = new Uint32Array(16);
  #ballRadii = new Float32Array(16);

  constructor(
    attributes: Attributes,
    vertexCount: number,
    vertices: (vertex: number) => readonly [number, number, number],
    refuse: ErrorFactory,
  ) {
    [this.#refuse, this.#vertices, this.#vertexCount] = [refuse, vertices, vertexCount];
    this.#minLength = this.#number(attributes.minlength, "minlength", 0);
    this.#radius = this.#radiusOf(attributes.radius, "radius");
    this.#cap = this.#capOf(attributes.cap, "sphere");
    this.#ballMode = this.#choice(attribute(attributes, "ballmode"), "ballmode", BALL_MODES);
    const ballRadius = attribute(attributes, "ballradius");
    this.#ballRadius = this.#ballMode === "none" ? 0 : this.#radiusOf(ballRadius, "ballradius");
    const keeps = this.#choice(attributes.clippingmode, "clippingmode", CLIPPING_MODES);
    const objectId = toIndex(attributes.clippingmesh);
    if (keeps !== "none" && !(objectId > 0))
      throw this.#wrong(`its clippingmesh ${found(attributes.clippingmesh)}, not the id of an object`);
    if (keeps !== "none") this.#clip = { objectId, keeps: keeps as LatticeClip["keeps"] };
  }

  addBeam({ v1, v2, r1, r2, cap1, cap2 }: Attributes): void {
    const first = this.#vertex(v1);
    const second = this.#vertex(v2);
    if (first === second) throw this.#wrong(`both ends of a beam are vertex ${first}`);
    if (r1 === undefined && r2 !== undefined) throw this.#wrong("a beam has r2 and no r1");
    const firstRadius = r1 === undefined ? this.#radius : this.#radiusOf(r1, "r1");
    const secondRadius = r2 === undefined ? firstRadius : this.#radiusOf(r2, "r2");
    const caps = capCode(this.#capOf(cap1, this.#cap), this.#capOf(cap2, this.#cap));
    if (this.#length(first, second) < this.#minLength) return;
    if (this.#count === MAX_BEAMS) throw this.#refuse(`it has over ${MAX_BEAMS} beams, the most accepted; split it`);
    const at = 2 * this.#count;
    this.#beams = growArray(this.#beams, at + 2);
    this.#beams[at] = first;
    this.#beams[at + 1] = second;
    if (this.#radii.length > 0 || firstRadius !== this.#radius || secondRadius !== this.#radius) {
      this.#radii = filledTo(this.#radii, at, Math.fround(this.#radius));
      this.#radii[at] = firstRadius;
      this.#radii[at + 1] = secondRadius;
    }
    const common = capCode(this.#cap, this.#cap);
    if (this.#caps.length > 0 || caps !== common) {
      const known = this.#caps.length;
      this.#caps = growArray(this.#caps, this.#count + 1);
      if (known === 0) this.#caps.fill(common, 0, this.#count);
      this.#caps[this.#count] = caps;
    }
    this.#count++;
  }

  addBall({ vindex, r }: Attributes): void {
    if (this.#ballMode === "none") throw this.#wrong('it has balls although its ballmode is "none"');
    const vertex = this.#vertex(vindex);
    this.#pushBall(vertex, r === undefined ? this.#ballRadius : this.#radiusOf(r, "a ball's r"));
  }

  finish(): ObjectLattice {
    const beams = this.#beams.slice(0, 2 * this.#count);
    this.#finishBalls(beams);
    return {
      beams,
      radii: this.#radii.length > 0 ? this.#radii.slice(0, 2 * this.#count) : Float32Array.of(this.#radius),
      caps: this.#caps.length > 0 ? this.#caps.slice(0, this.#count) : Uint8Array.of(capCode(this.#cap, this.#cap)),
      balls: this.#balls.slice(0, this.#ballCount),
      ballRadii: this.#ballRadii.slice(0, this.#ballCount),
      clip: this.#clip,
    };
  }

  /** Checks that balls are at ends of beams; with `ballmode` "all" every other end has one, too. */
  #finishBalls(beams: Uint32Array): void {
    if (this.#ballMode === "none") return;
    const isEnd = new Uint8Array(this.#vertexCount);
    for (const vertex of beams) isEnd[vertex] = 1;
    for (let i = 0; i < this.#ballCount; i++) {
      const vertex = this.#balls[i];
      if (isEnd[vertex] === 0) throw this.#wrong(`a ball is at vertex ${vertex}, which is no end of a beam`);
      isEnd[vertex] = 2;
    }
    if (this.#ballMode !== "all") return;
    for (let vertex = 0; vertex < isEnd.length; vertex++) {
      if (isEnd[vertex] === 1) this.#pushBall(vertex, this.#ballRadius);
    }
  }

  #pushBall(vertex: number, radius: number): void {
    this.#balls = growArray(this.#balls, this.#ballCount + 1);
    this.#ballRadii = growArray(this.#ballRadii, this.#ballCount + 1);
    this.#balls[this.#ballCount] = vertex;
    this.#ballRadii[this.#ballCount++] = radius;
  }

  #length(first: number, second: number): number {
    const [x, y, z] = this.#vertices(first);
    const [u, v, w] = this.#vertices(second);
    return Math.sqrt((u - x) ** 2 + (v - y) ** 2 + (w - z) ** 2);
  }

  #vertex(text: string | undefined): number {
    const vertex = toIndex(text);
    if (vertex < this.#vertexCount) return vertex;
    throw this.#wrong(`a vertex ${found(text)}, of ${this.#vertexCount} vertices`);
  }

  #radiusOf(text: string | undefined, name: string): number {
    return this.#number(text, name, Number.MIN_VALUE);
  }

  #number(text: string | undefined, name: string, least: number): number {
    const value = toNumber(text);
    if (Number.isFinite(value) && value >= least) return value;
    throw this.#wrong(`${name} ${found(text)}, not a ${least > 0 ? "positive number" : "number from 0 on"}`);
  }

  #capOf(text: string | undefined, absent: Cap): Cap {
    if (text === undefined) return absent;
    const cap = CAPS.find((one) => one === text);
    if (cap === undefined) throw this.#wrong(`the cap ${quoted(text)} is unknown`);
    return cap;
  }

  #choice(text: string | undefined, name: string, choices: readonly string[]): string {
    const chosen = text ?? choices[0];
    if (choices.includes(chosen)) return chosen;
    throw this.#wrong(`its ${name} ${quoted(chosen)} is unknown`);
  }

  #wrong(why: string): Error {
    return this.#refuse(`its beam lattice is damaged: ${why}; export it again`);
  }
}

/** The radii with room for the beam at `at`. Those before it get `value` if there were none. */
function filledTo(radii: Float32Array<ArrayBuffer>, at: number, value: number): Float32Array<ArrayBuffer> {
  const isFirst = radii.length === 0;
  const room = growArray(radii, at + 2);
  return isFirst ? room.fill(value, 0, at) : room;
}
