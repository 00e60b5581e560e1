/** `held`: an admin has to review the link first. `rejected`: an admin decided that it does not count. */
export const CREDITS = ['counted', 'held', 'rejected'] as const;
export type Credit = (typeof CREDITS)[number];
