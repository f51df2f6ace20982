export { Privacy } from './privacy.tsx';
export { Terms } from './terms.tsx';
