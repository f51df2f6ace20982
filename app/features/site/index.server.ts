export { readStepStates, skipFirstSteps } from './first-steps.server.ts';
