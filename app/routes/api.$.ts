import { unknownAddress } from '#app/platform/api/route.server.ts';

/** Any other address under `/api`. */
export const loader = unknownAddress;
export const action = unknownAddress;
