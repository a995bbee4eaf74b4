/** What a strut is for: the end that touches the model, what carries it, or what stiffens that. */
export type StrutKind = "TIP" | "PILLAR" | "BRACE";

/** A round bar between two balls, as wide at each end as the ball there. */
export interface Strut {
  readonly from: number;
  readonly to: number;
  readonly kind: StrutKind;
}

/** Where a pillar ends: on the raft or the platform, or on the model itself. */
export interface Foot {
  readonly node: number;
  readonly on: "GROUND" | "MODEL";
}

/** The structure between the touchpoints of a model and the ground, in scene coordinates. */
export interface SupportTree {
  /** x, y, z and radius of each ball, mm. */
  readonly nodes: Float64Array;
  readonly struts: readonly Strut[];
  readonly feet: readonly Foot[];
  /** The node at which each touchpoint is held; −1 where none could be led to the ground. */
  readonly touches: Int32Array;
}
