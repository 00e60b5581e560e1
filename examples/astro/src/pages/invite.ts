export const prerender = false;
export { respond as ALL } from '../server/early-access';
