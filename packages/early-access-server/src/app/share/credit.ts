/** `held`: an admin has to look at the link first. `rejected`: an admin has decided that it does not count. */
export const CREDITS = ['counted', 'held', 'rejected'] as const;
export type Credit = (typeof CREDITS)[number];
