export { Landing } from './landing.tsx';
export { Pricing } from './pricing.tsx';
export { Privacy } from './privacy.tsx';
export { Styleguide } from './styleguide/index.tsx';
export { Terms } from './terms.tsx';
export { LazyDemoDialog } from './lazy-demo-dialog.ts';
