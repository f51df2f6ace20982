import { afterAll } from 'vitest';
import { closeBrowsers } from './browser.ts';

// After each file, since files share what they import.
afterAll(closeBrowsers);
