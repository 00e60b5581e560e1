export { installEmulators as default } from 'early-access-firebase/local';
