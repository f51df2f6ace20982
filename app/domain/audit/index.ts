export { actionText, actorText, AUDIT_ACTIONS } from './words.ts';
