import { afterAll } from 'vitest';
import { closePages } from './browser.ts';

// After each file, because files share imported modules.
afterAll(closePages);
