export { MAX_DEPTH, decode, decodeFields } from './decode.ts';
export { encode } from './encode.ts';
