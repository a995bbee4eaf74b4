import { signal } from "@preact/signals";

/** Share of the depth of the edited part that the view cuts off on the side of the viewer, 0 to 1. */
export const sliceShare = signal(0);
