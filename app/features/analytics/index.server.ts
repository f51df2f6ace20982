export { setHalfLife } from './levels.server.ts';
