/** Shares of a hollow's progress at which its phases end. The last phase drills the holes. */
export const HOLLOW_SHARES = { planned: 0.05, filled: 0.65, composed: 0.67, surfaced: 0.8, joined: 0.95 };
