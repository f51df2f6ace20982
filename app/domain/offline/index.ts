export { type OfflineSnapshot, type OfflineSchedule } from './snapshot.ts';
export { describeEntry, type Answer, type OutboxEntry, type Problem } from './entry.ts';
