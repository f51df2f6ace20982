export { AccountErrorPage, AccountFrame } from './account-frame.tsx';
export { BeginPage, CarriedCalculation, FirstSteps, FirstStepsLine } from './first-steps.tsx';
export { Landing, LazyDemoDialog } from './landing.tsx';
export { PlanContents } from './pricing.tsx';
export { Privacy } from './privacy.tsx';
export { Sources } from './sources.tsx';
export { Styleguide } from './styleguide.tsx';
export { Terms } from './terms.tsx';
