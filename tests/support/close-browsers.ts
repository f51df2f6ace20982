import { afterAll } from 'vitest';
import { closeBrowsers } from './browser.ts';

// After each file, because files share imported modules.
afterAll(closeBrowsers);
