export { makeOfflineSecret } from './offline-entries.server.ts';
