export { actionText, actorText } from './words.ts';
