import { afterAll } from 'vitest';
import { closeHeld } from './held-open.ts';

// After each file, even if files share imported modules.
afterAll(closeHeld);
