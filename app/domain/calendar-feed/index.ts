export {
  FEED_DAYS,
  FEED_MINUTES,
  FEED_PRIVACY,
  feedEvents,
  type FeedDose,
  type FeedEvent,
  type FeedPrivacy,
} from './events.ts';
