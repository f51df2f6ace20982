export { keepDemoInterest } from './waitlist.server.ts';
