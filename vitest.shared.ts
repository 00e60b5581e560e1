/** Limits that only a hanging test reaches, on a busy machine too. Tests wait for conditions, not for these. */
export const patience = { testTimeout: 60_000, hookTimeout: 60_000 };
