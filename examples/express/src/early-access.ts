import { createEarlyAccess, optionsFromEnv } from 'early-access-server';

export const earlyAccess = createEarlyAccess(await optionsFromEnv(process.env));
