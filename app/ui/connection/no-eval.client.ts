/**
 * zod tries out whether it may make functions from text. The content security policy forbids it, and the browser reports
 * each try as a breach; told beforehand, zod does not try. Has to run before the first schema is made.
 */
const shared = globalThis as { __zod_globalConfig?: { jitless?: boolean } };
shared.__zod_globalConfig = { ...shared.__zod_globalConfig, jitless: true };
