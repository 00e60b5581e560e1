import { earlyAccess } from './early-access';

const respond = async (request: Request) => (await earlyAccess()).fetch(request);

export { respond as GET, respond as OPTIONS, respond as POST };
