export { fillDemo, startDemo } from './demo.server.ts';
