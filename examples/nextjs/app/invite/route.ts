export { GET } from '../../server/mount';
