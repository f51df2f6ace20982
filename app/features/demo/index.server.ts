export { fillDemo, keepDemoInterest, startDemo } from './demo.server.ts';
