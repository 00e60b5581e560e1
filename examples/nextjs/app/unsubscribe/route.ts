export { GET, POST } from '../../server/mount';
