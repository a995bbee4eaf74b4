export const MM2_PER_CM2 = 100;
