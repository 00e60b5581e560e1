export { GET, OPTIONS, POST } from '../../../server/mount';
