export { readStepStates, skipFirstSteps } from './first-steps.server.ts';
export { keepDemoInterest } from './waitlist.server.ts';
