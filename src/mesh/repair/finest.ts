import type { Box } from "../../core/geometry.ts";
import { singleStepMm } from "../single-step.ts";

/** Of single precision at the farthest coordinate: places that rounding may exchange. */
const FINEST_STEPS = 8;
/** What is cut is rounded, and may cross anew by the last digits: then it is cut again, and less fine. */
const COARSENING = 4;

/** The finest that a round of cutting need tell apart, in mm; rounds begin at 0. */
export const finestMm = (box: Box, round: number): number => FINEST_STEPS * singleStepMm(box) * COARSENING ** round;
