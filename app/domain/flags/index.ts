export { FLAG_WORDS, flagStates, FLAGS, type FlagName } from './flags.ts';
