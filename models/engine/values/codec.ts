export { MAX_DEPTH, decode } from './decode.ts';
export { encode } from './encode.ts';
