import { afterAll } from 'vitest';
import { closeHeld } from './held-open.ts';

// After each file, also when files share what they import.
afterAll(closeHeld);
