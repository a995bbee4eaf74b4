/** Where a pillar stands, seen from above, mm. */
export interface StandingFoot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}
